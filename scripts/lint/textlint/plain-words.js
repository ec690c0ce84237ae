import { wordFaults } from "../prose.mjs";

/** Reports words that have a plainer alternative. */
export default function plainWords({ Syntax, RuleError, report, getSource }) {
  return {
    [Syntax.Paragraph]: (node) => reportAll(node),
    [Syntax.Header]: (node) => reportAll(node),
    [Syntax.TableCell]: (node) => reportAll(node),
  };

  function reportAll(node) {
    for (const fault of wordFaults(getSource(node))) report(node, new RuleError(fault));
  }
}
