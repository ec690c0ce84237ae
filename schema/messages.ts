/** Confirmation after a customer changes the payment card, in the portal and the REST API. */
export const paymentDetailsChanged = "You have successfully changed your payment details";
