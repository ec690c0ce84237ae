/** A screenshot of the portal. `node tools/media.mjs screens` takes it with this name and size. */
export interface Screen {
  /** Alternative text. */
  readonly alt: string;
  /** Width in CSS pixels. The file is twice as wide. */
  readonly width: number;
  readonly height: number;
  /** True for a document on white paper, which has one file for both colour schemes. */
  readonly isPaper?: true;
}

/** All screenshots by name. The files are `/media/screens/NAME-light.webp` and `NAME-dark.webp`, or `NAME.webp` for paper. */
export const screens = {
  "my-account": {
    alt: "My Account with a Professional licence, its expiry date, and a menu for the licence code, devices and download.",
    width: 1280,
    height: 664,
  },
  devices: {
    alt: "Manage Activated Devices with one computer, when it was last seen, and a button to deactivate it.",
    width: 1280,
    height: 600,
  },
  subscribe: {
    alt: "The subscribe form with yearly Professional selected, and a summary of the price, GST and total in Australian dollars.",
    width: 1280,
    height: 850,
  },
  "tax-invoices": {
    alt: "Tax Invoices with the date, number, description, amount and download of three payments.",
    width: 1280,
    height: 728,
  },
  seats: {
    alt: "Seats of a concurrent licence. Three of five seats are in use, with their user, machine and end time.",
    width: 1280,
    height: 868,
  },
  "tax-invoice": {
    alt: "A tax invoice with seller, buyer, subscription, GST and amount paid.",
    width: 620,
    height: 877,
    isPaper: true,
  },
} as const satisfies Record<string, Screen>;

/** Name of a screenshot. */
export type ScreenName = keyof typeof screens;
