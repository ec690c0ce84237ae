/** A screenshot of the portal. `npm run pictures -- site` takes it with this name and size. */
export interface Screen {
  /** Alternative text. */
  readonly alt: string;
  /** Width in CSS pixels. The file is twice as wide. */
  readonly width: number;
  readonly height: number;
}

/** All screenshots by name. The files are `/media/screens/NAME-light.webp` and `NAME-dark.webp`. */
export const screens = {
  "my-account": {
    alt: "My Account with a Professional licence and buttons to copy its code, download the add-in and manage devices.",
    width: 1280,
    height: 500,
  },
} as const satisfies Record<string, Screen>;

export type ScreenName = keyof typeof screens;
