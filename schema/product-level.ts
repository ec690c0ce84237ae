/** Numbers of the levels that are sold and tried; a file of its own, because public pages need no more of the lists. */
export const ProductLevel = { Standard: 0, Plus: 1, Professional: 2, Trial: 3 } as const;
