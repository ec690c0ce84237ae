/** Builds the input of a new concurrent licence as admins send it, with `changes`. */
export const buildLicenceInput = (changes: Record<string, unknown> = {}) => ({
  licenceActivationType: 2,
  numberOfUsers: 5,
  numberOfMachines: 10,
  limitFloatingLeasePeriodToHours: 0,
  floatingHeartBeatIntervalMinutes: 10,
  productLevel: 16,
  licenceType: 3,
  licenceCategory: 1,
  projectTerm: null,
  expiryDate: "2028-03-31",
  purchaseOrderNumber: "PO-4711",
  allowOnVms: true,
  ...changes,
});
