import { Badge, Box, Group, Kbd, Paper, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useNavigate } from "react-router-dom";
import { type SearchHit, getHitUrl, getHitUserId } from "./search-source.ts";
import { useSearch } from "./use-search.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useMedia } from "#web/platform/use-media.ts";

// Loads on first focus, before the first results arrive.
const loadHits = () => import("./search-hits.tsx");
const SearchHits = lazyPart(loadHits, "nothing", null);

/** Label of the search box. Table search boxes are called Search. */
export const SEARCH_LABEL = "Find anyone or anything";

const BELOW_BOX = "calc(100% + 0.375rem)";

/** Hides the number of hits, which sighted users see. */
const hiddenProps = { pos: "absolute", w: 1, h: 1, style: { clipPath: "inset(50%)", overflow: "hidden" } } as const;

const EXAMPLES = "Code, machine, email, invoice, ABN, company or name";

export interface SearchBoxProps {
  /** `header` is small, with a label for screen readers only. */
  look: "header" | "page";
  /** Focuses the box on mount. */
  startsFocused?: boolean;
}

/**
 * Searches screens, users, licences, devices, invoices, contacts, promo codes and builds, and lists the actions on a user.
 * Follows the WAI-ARIA combobox pattern.
 */
export function SearchBox({ look, startsFocused = false }: SearchBoxProps) {
  const navigate = useNavigate();
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  const hasKeyboard = useMedia("(hover: hover) and (min-width: 48rem)");
  const search = useSearch((hit) => open(hit));
  const { text, hits, statusText, active, isOpen, isLoading, chosen } = search;
  const activeHit = hits[active];
  const hasHint = hasKeyboard && isOpen && activeHit !== undefined && getHitUserId(activeHit) !== null;

  useFocusOnShortcut(box);
  useEffect(() => {
    if (startsFocused) box.current?.focus();
  }, [startsFocused]);

  function open(hit: SearchHit) {
    leave();
    void navigate(getHitUrl(hit));
  }

  /** Clears the search and removes focus, because the next page's title doesn't take focus from a field. */
  function leave() {
    search.clear();
    box.current?.blur();
  }

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    const { selectionStart, value } = event.currentTarget;
    if (chosen && (event.key === "Escape" || (value === "" && ["Backspace", "ArrowLeft"].includes(event.key)))) {
      event.preventDefault();
      event.stopPropagation();
      search.leaveActions();
    } else if (event.key === "ArrowRight" && isOpen && selectionStart === value.length && !event.shiftKey) {
      if (search.choose()) event.preventDefault();
    } else if (event.key === "Escape" && text) {
      event.preventDefault();
      event.stopPropagation();
      if (isOpen) search.close();
      else search.clear();
    } else if (event.key === "Enter") {
      event.preventDefault();
      search.enter();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      search.move(event.key === "ArrowDown" ? 1 : -1);
    }
  }

  const isHeader = look === "header";
  const isPanelOpen = isOpen && (hits.length > 0 || statusText !== "");
  return (
    <Box pos="relative" miw={0}>
      <TextInput
        ref={box}
        label={isHeader ? undefined : SEARCH_LABEL}
        aria-label={isHeader ? SEARCH_LABEL : undefined}
        size={isHeader ? "sm" : "md"}
        variant={isHeader ? "filled" : "default"}
        leftSection={<IconSearch size={18} stroke={1.8} aria-hidden="true" />}
        rightSection={
          text === "" &&
          hasKeyboard && (
            <Kbd ff="var(--xp-font)" aria-hidden="true">
              {isAppleDevice() ? "⌘ K" : "Ctrl K"}
            </Kbd>
          )
        }
        rightSectionWidth={text === "" && hasKeyboard ? "4.5rem" : undefined}
        rightSectionPointerEvents="none"
        type="text"
        role="combobox"
        aria-expanded={isOpen && hits.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-describedby={hasHint ? `${id}-hint` : undefined}
        aria-activedescendant={isOpen && activeHit ? `${id}-${active}` : undefined}
        aria-keyshortcuts="Control+K Meta+K"
        aria-busy={isLoading || undefined}
        placeholder={chosen ? "Choose an action" : isHeader ? SEARCH_LABEL : EXAMPLES}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => search.type(event.currentTarget.value)}
        onFocus={() => {
          loadHits().catch(() => undefined);
          search.show();
        }}
        onBlur={search.close}
        onKeyDown={handleKey}
      />
      {/* On phones, the results below the header need the whole width. */}
      <Paper
        display={isPanelOpen ? "block" : "none"}
        withBorder
        shadow="lg"
        radius="lg"
        p={6}
        bg="var(--xp-raised)"
        pos={isHeader ? { base: "fixed", sm: "absolute" } : "absolute"}
        top={isHeader ? { base: "calc(3.75rem + var(--view-banner, 0rem))", sm: BELOW_BOX } : BELOW_BOX}
        left={isHeader ? { base: 8, sm: 0 } : 0}
        right={isHeader ? { base: 8, sm: "auto" } : 0}
        w={isHeader ? { base: "auto", sm: "max(100%, 27rem)" } : undefined}
        mah="min(32rem, 70vh)"
        style={{ zIndex: 40, overflowY: "auto" }}
      >
        {chosen && chosen.name !== "" && isOpen && (
          <Group justify="space-between" wrap="nowrap" px="sm" py={4} gap="xs" aria-hidden="true">
            <Text fw={600} fz="sm" data-break="anywhere">
              Actions on {chosen.name}
            </Text>
            <Badge
              component="span"
              variant="default"
              size="md"
              style={{ cursor: "pointer", flex: "none" }}
              onPointerDown={(event) => event.preventDefault()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={search.leaveActions}
            >
              {hasKeyboard ? "Esc: back" : "Back"}
            </Badge>
          </Group>
        )}
        <div id={`${id}-list`} role="listbox" aria-label="Matches" hidden={!isOpen || hits.length === 0}>
          {hits.length > 0 && (
            <SearchHits idStart={`${id}-`} hits={hits} active={active} onOpen={leave} onActions={search.choose} />
          )}
        </div>
        <Text
          role="status"
          c="dimmed"
          fz="sm"
          data-break="anywhere"
          {...(hits.length > 0 && !search.hasFailed ? hiddenProps : { p: statusText && "xs" })}
        >
          {statusText}
        </Text>
        {hasHint && (
          <Text id={`${id}-hint`} c="dimmed" fz="xs" px="sm" pt={6} pb={4}>
            <Kbd size="xs">Enter</Kbd> opens · <Kbd size="xs">→</Kbd> actions on this user
          </Text>
        )}
      </Paper>
    </Box>
  );
}

/** Focuses the box on Ctrl+K or ⌘K, unless a dialog is open. */
function useFocusOnShortcut(box: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const handleShortcut = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      if (document.querySelector("dialog[open], [role=dialog]")) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    document.addEventListener("keydown", handleShortcut);
    return () => document.removeEventListener("keydown", handleShortcut);
  }, [box]);
}

/** Returns whether shortcuts use ⌘ instead of Ctrl. */
export const isAppleDevice = () => /mac|iphone|ipad/i.test(navigator.userAgent);
