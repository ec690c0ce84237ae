/** A picture of a screen of the portal, taken by `node tools/media.mjs screens`, which reads sizes and names here. */
export interface Screen {
  /** What it shows, for those who don't see it. */
  readonly alt: string;
  /** In pixels of the page; the file has two for one. */
  readonly width: number;
  readonly height: number;
  /** White in either scheme, and one file. */
  readonly isPaper?: true;
}

/** Every picture by name; the files are `/media/screens/NAME-light.webp` and `-dark`, of paper `NAME.webp`. */
export const screens = {
  "my-account": {
    alt: "My Account: a licence of level Professional with its expiry date, and the menu with its code, its devices and the download.",
    width: 1280,
    height: 664,
  },
  devices: {
    alt: "Manage Activated Devices: the one computer of the licence, when it was last seen, and the button that frees it.",
    width: 1280,
    height: 600,
  },
  subscribe: {
    alt: "The subscribe form with Professional, yearly chosen; the summary beside it shows price, GST and the total in Australian dollars.",
    width: 1280,
    height: 850,
  },
  "tax-invoices": {
    alt: "Tax Invoices: three payments with date, number, description and amount, each with its download.",
    width: 1280,
    height: 728,
  },
  seats: {
    alt: "The seat board of a concurrent licence: three of five seats are taken, with who has them, on which machine and until when.",
    width: 1280,
    height: 868,
  },
  "tax-invoice": {
    alt: "A tax invoice on paper: seller and buyer, the subscription, GST and the amount paid.",
    width: 620,
    height: 877,
    isPaper: true,
  },
} as const satisfies Record<string, Screen>;

/** Name of a picture. */
export type ScreenName = keyof typeof screens;
