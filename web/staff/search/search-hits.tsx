import { NavLink, Text } from "@mantine/core";
import {
  IconAddressBook,
  IconAppWindow,
  IconDeviceLaptop,
  IconFileInvoice,
  IconLicense,
  IconUser,
} from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { type SearchHit, getHitUrl } from "./search-source.ts";

const kinds = {
  SCREEN: { word: "Screen", Icon: IconAppWindow },
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
    <NavLink
      component={Link}
      ref={option}
      id={id}
      role="option"
      aria-selected={isActive}
      active={isActive}
      bdrs="sm"
      tabIndex={-1}
      to={getHitUrl(hit)}
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
      leftSection={<Icon size={20} stroke={1.6} aria-hidden="true" />}
      label={
        <Text component="b" inherit fw={hit.isPast ? 450 : 600} style={{ overflowWrap: "anywhere" }}>
          {hit.label}{" "}
        </Text>
      }
      description={`${hit.subLabel} `}
      rightSection={
        <Text span c="dimmed" fz="xs">
          {word}
        </Text>
      }
    />
  );
}
