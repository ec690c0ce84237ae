/**
 * Numbers of the product levels on sale and on trial. Kept in a separate file so that public pages don't load the other
 * lists.
 */
export const ProductLevel = { Standard: 0, Plus: 1, Professional: 2, Trial: 3 } as const;
