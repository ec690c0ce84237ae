import { IconAddressBook, IconDeviceLaptop, IconFileInvoice, IconLicense, IconUser } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import classes from "./search-box.module.css";
import { type SearchHit, getHitUrl } from "./search-source.ts";

const kinds = {
  USER: { word: "User", Icon: IconUser },
  CONTACT: { word: "Contact", Icon: IconAddressBook },
  LICENCE: { word: "Licence", Icon: IconLicense },
  DEVICE: { word: "Device", Icon: IconDeviceLaptop },
  INVOICE: { word: "Invoice", Icon: IconFileInvoice },
} as const satisfies Record<SearchHit["kind"], unknown>;

export interface SearchHitsProps {
  /** Prefix of the option ids, before the index. */
  idStart: string;
  hits: readonly SearchHit[];
  active: number;
  onOpen: () => void;
}

/** Renders search hits as listbox options. */
export default function SearchHits({ idStart, hits, active, onOpen }: SearchHitsProps) {
  return hits.map((hit, index) => (
    <Option
      key={`${hit.kind}:${hit.id}`}
      id={`${idStart}${index}`}
      hit={hit}
      isActive={index === active}
      onOpen={onOpen}
    />
  ));
}

function Option(props: { id: string; hit: SearchHit; isActive: boolean; onOpen: () => void }) {
  const { id, hit, isActive, onOpen } = props;
  const { word, Icon } = kinds[hit.kind];
  const option = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView?.({ block: "nearest" });
  }, [isActive]);
  return (
    // A link can open in a new tab. The keyboard selects options through the box, which keeps the focus.
    <Link
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      className={classes.option}
      data-past={hit.isPast || undefined}
      to={getHitUrl(hit)}
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <Icon size={20} stroke={1.6} aria-hidden="true" />
      <span className={classes.words}>
        <b>{hit.label}</b> <span>{hit.subLabel}</span>
      </span>{" "}
      <span className={classes.kind}>{word}</span>
    </Link>
  );
}
