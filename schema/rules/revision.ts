import { number } from "yup";

/** What a form began with; left out by documented clients, whose last write wins. */
export const revision = () =>
  number().typeError("Must be a number.").integer("Must be a whole number.").min(1).max(2_147_483_647);
