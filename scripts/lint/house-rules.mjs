import { dirname, posix, relative, resolve, sep } from "node:path";
import { nodeBuiltins, zones } from "./areas.mjs";

/** Returns the path of the linted file relative to the root, with `/` as the separator. */
function relativePath(context) {
  return relative(context.cwd, context.filename).split(sep).join(posix.sep);
}

/** Resolves an import to a file relative to the root ("api/config.ts"), a built-in module or a package. */
export function resolveImport(specifier, file, root) {
  if (specifier.startsWith("#")) return { file: specifier.slice(1) };
  if (specifier.startsWith(".")) {
    const path = relative(root, resolve(root, dirname(file), specifier))
      .split(sep)
      .join(posix.sep);
    return { file: path };
  }
  if (specifier.startsWith("node:") || nodeBuiltins.has(specifier)) return { builtin: specifier };
  const [scope, name] = specifier.split("/");
  return { package: specifier.startsWith("@") ? `${scope}/${name}` : scope };
}

/**
 * Returns the reason why `file` must not import `specifier`, with a replacement if one is known; null if the import is
 * allowed.
 */
export function findObjection(specifier, file, root, { dynamic = false } = {}) {
  const target = resolveImport(specifier, file, root);
  for (const zone of zones) {
    if (!zone.in.test(file) || zone.except?.test(file)) continue;
    if (zone.forbids(target, { file, dynamic, specifier }))
      return {
        because: typeof zone.because === "function" ? zone.because(target, { file }) : zone.because,
        fix: zone.fix?.(target) ?? null,
      };
  }
  return null;
}

const boundaries = {
  meta: { fixable: "code" },
  create(context) {
    const file = relativePath(context);
    const check = (source, options) => {
      if (typeof source?.value !== "string") return;
      const found = findObjection(source.value, file, context.cwd, options);
      if (!found) return;
      const fix = found.fix && ((fixer) => fixer.replaceText(source, JSON.stringify(found.fix)));
      context.report({ node: source, message: found.because, ...(fix ? { fix } : {}) });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source, { dynamic: true }),
    };
  },
};

const CLOCK_MESSAGE =
  "Time comes from the clock: take it from api/platform/clock.ts, so that tests and POST /dev/clock can move it.";

const clock = {
  create(context) {
    return {
      NewExpression(node) {
        if (node.callee.name === "Date" && node.arguments.length === 0)
          context.report({ node, message: CLOCK_MESSAGE });
      },
      CallExpression(node) {
        const { callee } = node;
        const now =
          callee.type === "MemberExpression" && callee.object.name === "Date" && callee.property.name === "now";
        if (now || callee.name === "Date") context.report({ node, message: CLOCK_MESSAGE });
      },
    };
  },
};

const settings = {
  create(context) {
    const message =
      "Settings are read in one place: name it in api/app/settings.ts, read it in api/config.ts, and take it from the Config you are given.";
    return {
      MemberExpression(node) {
        if (node.object.name === "process" && node.property.name === "env") context.report({ node, message });
      },
      ImportSpecifier(node) {
        if (node.parent.source.value.replace("node:", "") === "process" && node.imported.name === "env")
          context.report({ node, message });
      },
    };
  },
};

const FOLDER_MESSAGE =
  "A folder is named after a noun of the business: put this next to the noun it serves (docs/architecture.md).";

const folders = {
  create(context) {
    return {
      Program(node) {
        if (/(^|\/)(utils?|helpers?|misc|common|shared)\//.test(relativePath(context)))
          context.report({ node, message: FOLDER_MESSAGE });
      },
    };
  },
};

const FORMATS_MESSAGE =
  "Dates are formatted by schema/dates.ts, numbers by schema/numbers.ts and money by schema/money.ts, so that a date looks the same on every screen and in every email.";

const LOCAL_TEXTS = new Set(["toLocaleString", "toLocaleDateString", "toLocaleTimeString", "toDateString"]);
const FORMATTERS = new Set(["DateTimeFormat", "NumberFormat"]);

const formats = {
  create(context) {
    return {
      MemberExpression(node) {
        const name = node.property.name ?? node.property.value;
        const isFormatter = FORMATTERS.has(name) && node.object.name === "Intl";
        if (isFormatter || LOCAL_TEXTS.has(name)) context.report({ node, message: FORMATS_MESSAGE });
      },
    };
  },
};

const MOMENTS_MESSAGE =
  "Show a moment with <Moment> (web/ui/moment.tsx) or momentColumn, so that its tooltip has the time in UTC. Only texts without elements, such as labels, call the formatter.";

const MOMENT_FORMATTERS =
  /^format(Clock|Date|DateTime|DateTimeWithSeconds|ExpiryDate|LastSeen|SellerDate|SellerDateTime|SellerTableDate|TableDate|Time)$/;

/** Returns whether an expression is shown between the tags of an element. */
function isShown(node) {
  const { parent } = node;
  if (parent.type === "JSXExpressionContainer") return parent.parent.type !== "JSXAttribute";
  return ["ConditionalExpression", "LogicalExpression", "TemplateLiteral"].includes(parent.type) && isShown(parent);
}

const moments = {
  create(context) {
    const report = (node) => context.report({ node, message: MOMENTS_MESSAGE });
    return {
      JSXOpeningElement(node) {
        if (node.name.name === "time") report(node);
      },
      CallExpression(node) {
        if (!MOMENT_FORMATTERS.test(node.callee.name)) return;
        if (isShown(node)) report(node);
        if (node.parent.type !== "VariableDeclarator") return;
        const [variable] = context.sourceCode.getDeclaredVariables(node.parent);
        if (variable.references.some(({ identifier }) => isShown(identifier))) report(node);
      },
    };
  },
};

const CAST_MESSAGE =
  "Don't cast to the values of a rule: receive them from `CheckedArg` or `check`, so that a missing field doesn't compile.";

const casts = {
  create(context) {
    return {
      TSAsExpression(node) {
        const name = node.typeAnnotation.typeName?.name ?? "";
        if (name.endsWith("Values")) context.report({ node, message: CAST_MESSAGE });
      },
    };
  },
};

const LOADERS_MESSAGE =
  "A field resolver reads other rows through a loader (createLoader, createRelationLoader, loadCollection or loadReference of api/platform/graphql/loaders.ts), so that a page of rows costs as many statements as one.";

/** Properties of the context that read the database. */
const READERS = new Set(["em", "orm", "pool"]);
const LIBRARY_LOADS = new Set(["init", "load", "loadItems", "loadOrFail", "populate", "toReference"]);

function isInFieldResolver(node) {
  for (let at = node.parent; at; at = at.parent)
    if (at.type === "MethodDefinition")
      return (at.decorators ?? []).some(({ expression }) => expression.callee?.name === "FieldResolver");
  return false;
}

const loaders = {
  create(context) {
    const check = (node, isRead) => {
      if (isRead && isInFieldResolver(node)) context.report({ node, message: LOADERS_MESSAGE });
    };
    return {
      MemberExpression: (node) => check(node, READERS.has(node.property.name) || LIBRARY_LOADS.has(node.property.name)),
      Property: (node) => check(node, node.parent.type === "ObjectPattern" && READERS.has(node.key.name)),
    };
  },
};

const TRANSACTIONS_MESSAGE =
  "A transaction is opened or joined by inTransaction(context, …), and a part that may fail alone runs in inSavepoint(em, …) (api/platform/database/database.ts).";

const TRANSACTION_CALLS = new Set(["begin", "commit", "isInTransaction", "rollback", "transactional"]);

const transactions = {
  create(context) {
    return {
      CallExpression(node) {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || !TRANSACTION_CALLS.has(callee.property.name)) return;
        const owner = callee.object.property?.name ?? callee.object.callee?.property?.name ?? callee.object.name;
        if (["em", "fork", "tx"].includes(owner)) context.report({ node, message: TRANSACTIONS_MESSAGE });
      },
    };
  },
};

const SHAPES_MESSAGE =
  'The compiler reports a misspelt property of an object literal only where it has a type: annotate this constant, or add "satisfies".';

/** Returns whether an expression is an object literal or an array with one. `as const` doesn't change that. */
function isUntypedLiteral(node) {
  if (node?.type === "TSAsExpression" && node.typeAnnotation.typeName?.name === "const")
    return isUntypedLiteral(node.expression);
  if (node?.type === "ArrayExpression") return node.elements.some(isUntypedLiteral);
  return node?.type === "ObjectExpression" && node.properties.length > 0;
}

/** Returns whether a reference to a constant is an element of a list or a property of a component. */
function feedsComponent({ identifier }) {
  const { parent } = identifier;
  if (parent.type === "JSXExpressionContainer") return parent.parent.type === "JSXAttribute";
  return parent.type === "ArrayExpression" || parent.type === "JSXSpreadAttribute";
}

const shapes = {
  create(context) {
    return {
      VariableDeclarator(node) {
        const isTopLevel = ["Program", "ExportNamedDeclaration"].includes(node.parent.parent.type);
        if (!isTopLevel || node.id.type !== "Identifier" || node.id.typeAnnotation) return;
        const [variable] = context.sourceCode.getDeclaredVariables(node);
        if (isUntypedLiteral(node.init) && variable.references.some(feedsComponent))
          context.report({ node, message: SHAPES_MESSAGE });
      },
    };
  },
};

export default {
  meta: { name: "house" },
  rules: { boundaries, clock, settings, folders, formats, moments, casts, loaders, shapes, transactions },
};
