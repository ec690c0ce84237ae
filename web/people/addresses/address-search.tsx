import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { addressNames } from "#schema/address-forms.ts";
import { defaultCountry } from "#schema/limits.ts";
import { formatCount } from "#schema/numbers.ts";
import inputClasses from "#web/ui/form/native-fields.module.css";
import classes from "./address-search.module.css";
import formClasses from "#web/ui/form/form.module.css";
import layout from "#web/ui/layout.module.css";
import { postGraphql } from "#web/platform/post-graphql.ts";
import findsStreetsOperation from "operation:AddressSearchFindsStreets";
import suggestOperation from "operation:AddressSuggestions";
import findOperation from "operation:SuggestedAddress";

/** Parts of an address; unknown parts are empty. */
export type AddressParts = Record<(typeof addressNames)[number], string>;

/** A suggestion. Its parts are included or loaded by its id. */
interface AddressSuggestion {
  id: string;
  label: string;
  parts: AddressParts | null;
}

export interface AddressSource {
  /** Returns whether suggestions include the street, or only the suburb and post code. */
  findsStreets(): Promise<boolean>;
  suggest(text: string, country: string): Promise<readonly AddressSuggestion[]>;
  find(id: string): Promise<AddressParts | null>;
}

interface AddressSearchProps {
  source: AddressSource;
  country: string;
  onPick: (parts: AddressParts) => void;
  /** Called when the search can't help, so that the user has to fill in the fields. */
  onManualEntry: () => void;
}

/** Pause in typing before a request, in milliseconds. */
const PAUSE_MS = 200;
const FEWEST_CHARACTERS = 2;

type Shown =
  | { kind: "nothing" }
  | { kind: "list"; list: readonly AddressSuggestion[] }
  | { kind: "message"; message: string };

const NOTHING: Shown = { kind: "nothing" };
const LOCALITY_ONLY =
  "Type your address or post code. We suggest the suburb and post code, only in Australia, and keep the street as you type it.";
const AUSTRALIA_ONLY = "We have suggestions only for Australia. Please fill in the fields below.";
const WHOLE_ADDRESS = "Type your address and choose a suggestion.";
const NO_MATCH = "No suggestions. Please fill in the fields below.";
const UNAVAILABLE = "Suggestions are not available at the moment. Please fill in the fields below.";

/** A box that suggests addresses while typing: a combobox that follows the WAI-ARIA pattern. */
export function AddressSearch({ source, country, onPick, onManualEntry }: AddressSearchProps) {
  const [text, setText] = useState("");
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [active, setActive] = useState(-1);
  const [findsStreets, setFindsStreets] = useState<boolean | null>(null);
  const requestId = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isPicking = useRef(false);
  const listId = useId();
  const list = shown.kind === "list" ? shown.list : [];

  // Ignore responses to earlier requests or after unmounting.
  const cancelRequest = () => {
    clearTimeout(timer.current);
    requestId.current += 1;
    isPicking.current = false;
  };
  useEffect(() => cancelRequest, []);

  function show(next: Shown) {
    setShown(next);
    setActive(-1);
  }

  // The list scrolls.
  useEffect(() => {
    document.getElementById(`${listId}-${active}`)?.scrollIntoView?.({ block: "nearest" });
  }, [listId, active]);

  const isUnsupported = !findsStreets && country !== defaultCountry;
  useEffect(() => {
    if (isUnsupported) onManualEntry();
    // Only when the country changes: the user may fold the fields again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isUnsupported]);

  /** Says why there is nothing to choose, above the fields for manual entry. */
  function sendToFields(message: string) {
    show({ kind: "message", message });
    onManualEntry();
  }

  function type(typed: string) {
    setText(typed);
    cancelRequest();
    if (typed.trim().length < FEWEST_CHARACTERS) return show(NOTHING);
    timer.current = setTimeout(() => void suggest(typed.trim()), PAUSE_MS);
  }

  async function suggest(typed: string) {
    const current = requestId.current;
    const found = await source.suggest(typed, country).catch(() => null);
    if (requestId.current !== current) return;
    if (!found) sendToFields(UNAVAILABLE);
    else if (found.length === 0) sendToFields(NO_MATCH);
    else show({ kind: "list", list: found });
  }

  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Text typed before hydration.
    if (box.current?.value) type(box.current.value);
    // Only once: later text arrives through onChange.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  async function pick(suggestion: AddressSuggestion) {
    cancelRequest();
    isPicking.current = true;
    const current = requestId.current;
    setText(suggestion.label);
    show(NOTHING);
    const parts = suggestion.parts ?? (await source.find(suggestion.id).catch(() => null));
    if (requestId.current !== current) return;
    isPicking.current = false;
    if (!parts) return sendToFields(UNAVAILABLE);
    onPick(parts);
    const { streetNumber, streetName, city, state, postCode } = parts;
    const street = streetNumber && streetName ? `${streetNumber} ${streetName}, ` : "";
    const rest = street ? "Please check the fields below." : "Please add the street below.";
    // Some countries have no states or post codes.
    const place = [city, state, postCode].filter(Boolean).join(" ");
    show({ kind: "message", message: `Filled in ${street}${place}. ${rest}` });
  }

  function press(event: KeyboardEvent) {
    // Enter would submit the incomplete form.
    if (event.key === "Enter") {
      event.preventDefault();
      const chosen = list[Math.max(active, 0)];
      if (chosen) void pick(chosen);
    } else if (event.key === "Escape" && list.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      show(NOTHING);
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && list.length > 0) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      const from = active < 0 && step < 0 ? list.length : active;
      setActive((from + step + list.length) % list.length);
    }
  }

  return (
    <div style={{ position: "relative" }}>
      <div className={formClasses.field}>
        <label className={formClasses.label} htmlFor={`${listId}-box`}>
          Find address
        </label>
        <div id={`${listId}-hint`} className={formClasses.hint}>
          {findsStreets ? WHOLE_ADDRESS : isUnsupported ? AUSTRALIA_ONLY : LOCALITY_ONLY}
        </div>
        <input
          ref={box}
          id={`${listId}-box`}
          className={inputClasses.box}
          type="text"
          role="combobox"
          aria-describedby={`${listId}-hint`}
          aria-expanded={list.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={list[active] ? `${listId}-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={press}
          onFocus={() => {
            // Keep the default hint if the request fails.
            if (findsStreets === null) source.findsStreets().then(setFindsStreets, () => undefined);
          }}
          onBlur={() => {
            // The details of a picked suggestion are still filled in.
            if (!isPicking.current) cancelRequest();
            if (list.length > 0) show(NOTHING);
          }}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Suggestions" className={classes.list} hidden={list.length === 0}>
        {list.map((suggestion, index) => (
          // The box keeps the focus and handles the keyboard.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- see above
          <div
            key={suggestion.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            className={classes.option}
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => void pick(suggestion)}
          >
            {suggestion.label}
          </div>
        ))}
      </div>
      {/* Only screen readers need the number of suggestions. */}
      <p role="status" className={list.length > 0 ? layout.hidden : formClasses.hint}>
        {list.length > 0 ? `${formatCount(list.length, "suggestion")}.` : shown.kind === "message" ? shown.message : ""}
      </p>
    </div>
  );
}

/** Address suggestions from the API, for {@link AddressFields}. */
export const addressSource: AddressSource = {
  async suggest(text, country) {
    const data = await postGraphql(suggestOperation, { text, country });
    return data.addressSuggestions;
  },
  async findsStreets() {
    const data = await postGraphql(findsStreetsOperation, {});
    return data.addressSearchFindsStreets;
  },
  async find(id) {
    const data = await postGraphql(findOperation, { id });
    return data.suggestedAddress;
  },
};
