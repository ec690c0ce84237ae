import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type ResolverResult,
  useForm,
  type UseFormReturn,
} from "react-hook-form";
import type { InferType, ObjectSchema } from "yup";
import { loadPart } from "#web/platform/load-part.ts";
import { notify } from "#web/platform/notifications.ts";
import { codeOf, fieldErrorsOf, messageOf } from "#web/platform/server-error.ts";
import { isSecret, useDraft } from "./draft.ts";
import classes from "./form.module.css";
import { useTypedBefore } from "./typed-before.ts";

/** Shown whenever a form is sent with faults in it. */
export const INVALID_FORM = "You have one or more fields missing, please correct these and submit again.";

export interface AppFormOptions<TValues extends FieldValues> {
  defaultValues: DefaultValues<TValues>;
}

/** The rules could not be loaded, so nothing can be said about the values. */
const RULES_MISSING = "rules-missing";

/**
 * A yup rule of `schema/rules`, or how to load it: yup weighs 14 kB, which a page such as sign-in need not wait for.
 */
type RulesSource<TRules> = TRules | (() => Promise<TRules>);

/**
 * react-hook-form under a yup rule of `schema/rules`. Messages appear on the first submit and go as soon as the
 * field is mended. Rules given as a function, and what applies them, load when a field first takes the focus.
 */
export function useAppForm<TRules extends ObjectSchema<FieldValues>>(
  rules: RulesSource<TRules>,
  { defaultValues }: AppFormOptions<InferType<TRules>>,
): UseFormReturn<InferType<TRules>> {
  type Values = InferType<TRules>;
  const resolver = useMemo<Resolver<Values>>(
    () =>
      async (...form) => {
        const resolve = await loadResolver<Values>(rules).catch(() => null);
        if (resolve) return resolve(...form);
        return { values: {}, errors: { root: { type: RULES_MISSING } } } as ResolverResult<Values>;
      },
    [rules],
  );

  useEffect(() => {
    // The page's title takes the focus when it opens, and lists have search boxes: neither needs the rules.
    const load = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || !target.closest("form")) return;
      document.removeEventListener("focusin", load);
      loadResolver(rules).catch(() => undefined);
    };
    document.addEventListener("focusin", load);
    return () => document.removeEventListener("focusin", load);
  }, [rules]);

  return useForm<Values>({ resolver, defaultValues, shouldFocusError: false });
}

async function loadResolver<TValues extends FieldValues>(
  rules: RulesSource<ObjectSchema<FieldValues>>,
): Promise<Resolver<TValues>> {
  const [{ yupResolver }, loaded] = await loadPart(() =>
    Promise.all([import("@hookform/resolvers/yup"), typeof rules === "function" ? rules() : rules]),
  );
  // The resolver's own types lose the output of a generic schema.
  return yupResolver(loaded) as unknown as Resolver<TValues>;
}

export interface AppFormProps<TValues extends FieldValues> {
  form: UseFormReturn<TValues>;
  /**
   * Sends the checked values. What it throws is shown: sentences of the api's `extensions.fields` under their
   * fields, its own message, or else `fallback`, as a notification. What was typed stays.
   */
  onSubmit: (values: TValues) => unknown;
  /** Message when the api gave none. */
  fallback: string;
  /** The form's name for screen readers, where a page has more than one. */
  label?: string;
  /**
   * Keeps what is typed, but for passwords, under this name until it is sent, so that a reload or a way back loses
   * nothing. Forms of the signed-in carry the person's id in it.
   */
  draft?: string | undefined;
  children: ReactNode;
}

const BusyForm = createContext(false);

/** True while the surrounding form is being sent. */
export function useFormBusy(): boolean {
  return use(BusyForm);
}

/** The form element: checks, notifies, focuses the first faulty field, and can't be sent twice at once. */
export function AppForm<TValues extends FieldValues>(props: AppFormProps<TValues>) {
  const { form, onSubmit, fallback, label, draft: draftName, children } = props;
  const element = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const focusWanted = useRef(false);
  const { errors, isSubmitting } = form.formState;
  useTypedBefore(form, element);
  const draft = useDraft(form, draftName);

  useEffect(() => {
    if (!focusWanted.current || isSubmitting) return;
    focusWanted.current = false;
    element.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid=true]")?.focus();
  }, [errors, isSubmitting]);

  useEffect(() => watchMending(form), [form]);

  async function send(values: TValues) {
    try {
      await onSubmit(values);
      draft.forget();
    } catch (error) {
      if (showFieldErrors(form, error)) focusWanted.current = true;
      notify.error(toastOf(error, fallback));
    }
  }

  function refuse(faults: FieldErrors<TValues>) {
    if (faults.root?.type === RULES_MISSING) return notify.error(fallback);
    focusWanted.current = true;
    notify.error(INVALID_FORM);
  }

  function startAgain() {
    form.reset();
    draft.forget();
    element.current?.querySelector<HTMLElement>("input:not([tabindex='-1']), select, textarea")?.focus();
  }

  return (
    <BusyForm value={isSubmitting}>
      <form
        ref={element}
        className={classes.form}
        aria-label={label}
        aria-busy={isSubmitting || undefined}
        noValidate
        // Scripts send it. Without them nothing typed may end up in an address.
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (sending.current) return;
          sending.current = true;
          notify.clearErrors();
          void form
            .handleSubmit(
              send,
              refuse,
            )(event)
            .finally(() => {
              sending.current = false;
            });
        }}
      >
        {draft.restored && (
          <div className={classes.restored} role="status">
            <span>
              We have kept what you typed before.
              {Object.keys(form.getValues()).some(isSecret) && " Passwords are never kept."}
            </span>
            <button type="button" onClick={startAgain}>
              Start Again
            </button>
          </div>
        )}
        {children}
        <noscript>
          <p>This form needs JavaScript. Please switch it on, or write to us by email.</p>
        </noscript>
      </form>
    </BusyForm>
  );
}

/** Returns the toast for a refused form: the field's own sentence, or INVALID_FORM when several fields are wrong. */
function toastOf(error: unknown, fallback: string): string {
  const sentences = Object.values(fieldErrorsOf(error)).flat();
  const [only] = sentences;
  if (codeOf(error) !== "BAD_USER_INPUT" || only === undefined) return messageOf(error, fallback);
  return sentences.length === 1 ? only : INVALID_FORM;
}

/** Puts the api's sentences under the fields they belong to; true when at least one found its field. */
function showFieldErrors<TValues extends FieldValues>(form: UseFormReturn<TValues>, error: unknown): boolean {
  const known = form.getValues();
  let shown = false;
  for (const [name, [sentence]] of Object.entries(fieldErrorsOf(error))) {
    if (!(name in known) || !sentence) continue;
    form.setError(name as FieldPath<TValues>, { type: "server", message: sentence });
    shown = true;
  }
  return shown;
}

/**
 * A fault can be mended in another field: the password a repetition must match, the country a post code belongs to.
 * So every change checks the faulty fields again; sentences of the api stay until their own field changes.
 */
function watchMending<TValues extends FieldValues>(form: UseFormReturn<TValues>): () => void {
  return form.subscribe({
    formState: { values: true, errors: true },
    callback: ({ name, errors = {} }) => {
      if (!name) return;
      const others = Object.entries(errors).filter(([field, error]) => field !== name && error?.type !== "server");
      if (others.length > 0) void form.trigger(others.map(([field]) => field as FieldPath<TValues>));
    },
  });
}
