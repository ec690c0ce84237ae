/** Roles of users: the member types 1, 2 and 3 as the `rol` claim of access tokens names them. */
export const roles = ["regular", "corporate", "admin"] as const;
export type Role = (typeof roles)[number];
