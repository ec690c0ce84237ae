/** Sentences that the portal shows and the REST API answers. */

/** Confirms that a customer's card was changed. */
export const paymentDetailsChanged = "You have successfully changed your payment details";
