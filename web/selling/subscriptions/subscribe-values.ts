import type { InferType } from "yup";
import type { subscribeFormRules } from "#schema/rules/subscription.ts";

/** The subscribe form; of the card only how far its fields are. */
export type SubscribeValues = InferType<typeof subscribeFormRules>;
