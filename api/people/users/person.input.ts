/** Descriptions of the fields that registration, profile and the forms of staff share. */
export const personFields = {
  state: "A state code such as QLD in Australia and the United States, otherwise free text.",
  country: "The country's English name.",
};

export const TIME_ZONE_DESCRIPTION =
  "The IANA name of the time zone in which the user reads emails, such as `Europe/London`. Without one, it is the seller's.";
