import { PageLinks } from "#web/ui/page-links.tsx";
import layout from "#web/ui/layout.module.css";

export interface ServiceOffersProps {
  offers: readonly {
    readonly title: string;
    readonly text: string;
    readonly link: { readonly label: string; readonly to: string };
  }[];
}

/** Paid services provided by the vendor's planners. */
export function ServiceOffers({ offers }: ServiceOffersProps) {
  return (
    <div className={`${layout.columns} ${layout.topped}`} data-tones>
      {offers.map(({ title, text, link }) => (
        <div key={title}>
          <h3>{title}</h3>
          <p>{text}</p>
          <PageLinks links={[link]} />
        </div>
      ))}
    </div>
  );
}
