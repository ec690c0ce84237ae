/** Descriptions of the fields that registration, profile and the forms of staff share. */
export const personFields = {
  state: "A state code such as QLD in Australia and the United States, otherwise free text.",
  country: "The country's English name.",
};
