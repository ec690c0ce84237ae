/**
 * Email colours, taken from the portal (`web/app/tokens.css`). Email clients that support dark mode use the dark set.
 * Other clients invert the light set, which stays readable. Text contrast is at least 4.5:1.
 */
export const colours = {
  light: {
    ground: "#f6f8f7",
    card: "#ffffff",
    inset: "#edf2f0",
    line: "#dbe3e0",
    text: "#10201d",
    muted: "#4c5f5a",
    link: "#0a6654",
    button: "#0e7d66",
    buttonText: "#ffffff",
  },
  dark: {
    ground: "#0c1412",
    card: "#121c19",
    inset: "#182420",
    line: "#24342f",
    text: "#e6efeb",
    muted: "#a9b9b3",
    link: "#4fd0b0",
    button: "#2fbf9c",
    buttonText: "#04201a",
  },
} as const;

export const fonts = {
  text: "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  code: "ui-monospace, 'SF Mono', Menlo, Consolas, 'Courier New', monospace",
} as const;

const { dark } = colours;

/**
 * Styles for dark mode and small screens. All other styles are inline, because many email clients drop style sheets.
 */
export const styleSheet = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .card-padding { padding: 28px 20px !important; } }
@media (prefers-color-scheme: dark) {
  .ground { background-color: ${dark.ground} !important; }
  .card { background-color: ${dark.card} !important; border-color: ${dark.line} !important; }
  .inset { background-color: ${dark.inset} !important; border-color: ${dark.line} !important; }
  .facts { border-color: ${dark.line} !important; }
  .text { color: ${dark.text} !important; }
  .muted { color: ${dark.muted} !important; }
  .link { color: ${dark.link} !important; }
  .button { background-color: ${dark.button} !important; }
  .button-text { color: ${dark.buttonText} !important; }
}`;
