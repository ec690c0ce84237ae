import { Badge, Group, NavLink, Text } from "@mantine/core";
import {
  IconAddressBook,
  IconAppWindow,
  IconBolt,
  IconDeviceLaptop,
  IconDiscount2,
  IconFileInvoice,
  IconLicense,
  IconPackage,
  IconUser,
} from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router-dom";
import { type SearchHit, getHitUrl, getHitUserId } from "./search-source.ts";

const kinds = {
  SCREEN: { word: "Screen", Icon: IconAppWindow },
  ACTION: { word: "Action", Icon: IconBolt },
  USER: { word: "User", Icon: IconUser },
  CONTACT: { word: "Contact", Icon: IconAddressBook },
  LICENCE: { word: "Licence", Icon: IconLicense },
  DEVICE: { word: "Device", Icon: IconDeviceLaptop },
  INVOICE: { word: "Invoice", Icon: IconFileInvoice },
  PROMO_CODE: { word: "Promo code", Icon: IconDiscount2 },
  SOFTWARE_BUILD: { word: "Build", Icon: IconPackage },
} as const satisfies Record<SearchHit["kind"], unknown>;

export interface SearchHitsProps {
  /** Prefix of the option ids, before the index. */
  idStart: string;
  hits: readonly SearchHit[];
  active: number;
  onOpen: () => void;
  /** Lists the actions on the user of a hit. */
  onActions: (hit: SearchHit) => void;
}

/** Renders search hits as listbox options. */
export default function SearchHits({ idStart, hits, active, onOpen, onActions }: SearchHitsProps) {
  return hits.map((hit, index) => (
    <Option
      key={`${hit.kind}:${hit.id}`}
      id={`${idStart}${index}`}
      hit={hit}
      isActive={index === active}
      onOpen={onOpen}
      onActions={onActions}
    />
  ));
}

interface OptionProps extends Pick<SearchHitsProps, "onOpen" | "onActions"> {
  id: string;
  hit: SearchHit;
  isActive: boolean;
}

function Option({ id, hit, isActive, onOpen, onActions }: OptionProps) {
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
      // Visible in forced colours, which replace the others.
      style={{ outline: isActive ? "2px solid transparent" : undefined, outlineOffset: -2 }}
      tabIndex={-1}
      to={getHitUrl(hit)}
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
      leftSection={<Icon size={20} stroke={1.6} aria-hidden="true" />}
      label={
        <Text component="b" inherit fw={hit.isPast ? 450 : 600} data-break="anywhere">
          {hit.label}{" "}
        </Text>
      }
      description={`${hit.subLabel} `}
      rightSection={
        <Group gap="xs" wrap="nowrap">
          <Text span c="dimmed" fz="xs">
            {word}
          </Text>
          {getHitUserId(hit) !== null && (
            // For the pointer. The right arrow key does the same, and an option can't contain a button.
            <Badge
              component="span"
              variant="default"
              size="md"
              aria-hidden="true"
              style={{ cursor: "pointer" }}
              onClick={(event) => {
                event.preventDefault();
                event.stopPropagation();
                onActions(hit);
              }}
            >
              Actions
            </Badge>
          )}
        </Group>
      }
    />
  );
}
