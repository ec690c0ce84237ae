import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type ResolverResult,
  useForm,
  type UseFormReturn,
} from "react-hook-form";
import type { InferType, ObjectSchema } from "yup";
import { loadPart, type PartLoadError } from "#web/platform/load-part.ts";
import { notify } from "#web/platform/notifications.ts";
import { formatError, getErrorCode, getFieldErrors } from "#web/platform/server-error.ts";
import { isSecret, useDraft } from "#web/platform/draft.ts";
import { useUnsavedInput } from "#web/platform/unsaved-input.ts";
import { Button } from "#web/ui/button.tsx";
import { useDialogBusy } from "#web/ui/dialog-busy.ts";
import { messageFor } from "#web/ui/lazy-part.tsx";
import classes from "./form.module.css";
import { useEarlyInput } from "./early-input.ts";

/** Notification for a form with errors. */
export const INVALID_FORM = "You have one or more fields missing, please correct these and submit again.";

export interface AppFormOptions<TValues extends FieldValues> {
  defaultValues: DefaultValues<TValues>;
  /** Replaces the input whenever the default values change, such as a filter in the URL after going back. Keeps the focus. */
  followsDefaults?: boolean;
}

/** Error type if the rules could not be loaded, so the values can't be validated. */
const RULES_MISSING = "rules-missing";

/** A yup rule of `schema`, or a function that loads it. Yup is 14 kB, which a page such as sign-in need not wait for. */
type RulesSource<TRules> = TRules | (() => Promise<TRules>);

/**
 * Uses react-hook-form with a yup rule of `schema`. Messages appear on the first submit and disappear as soon as the
 * field is corrected. Rules given as a function are loaded when a field of a form first gets the focus.
 */
export function useAppForm<TRules extends ObjectSchema<FieldValues>>(
  rules: RulesSource<TRules>,
  { defaultValues, followsDefaults = false }: AppFormOptions<InferType<TRules>>,
): UseFormReturn<InferType<TRules>> {
  type Values = InferType<TRules>;
  const resolver = useMemo<Resolver<Values>>(
    () =>
      async (...form) => {
        const resolve = await loadResolver<Values>(rules).catch((error: PartLoadError) => error);
        if (typeof resolve === "function") return resolve(...form);
        // The fallback says nothing of a reload, without which the form can't be sent.
        const message = resolve.canRetry ? "" : messageFor(resolve);
        return { values: {}, errors: { root: { type: RULES_MISSING, message } } } as ResolverResult<Values>;
      },
    [rules],
  );

  useEffect(() => {
    const listening = new AbortController();
    // Only fields in forms need the rules, unlike page titles and search boxes. A pointer comes before its click, which
    // therefore doesn't wait for them.
    const load = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.closest("form")) return;
      listening.abort();
      loadResolver(rules).catch(() => undefined);
    };
    for (const type of ["focusin", "pointerover"]) document.addEventListener(type, load, { signal: listening.signal });
    return () => listening.abort();
  }, [rules]);

  return useForm<Values>({
    resolver,
    defaultValues,
    ...(followsDefaults && { values: defaultValues as never }),
    shouldFocusError: false,
  });
}

async function loadResolver<TValues extends FieldValues>(
  rules: RulesSource<ObjectSchema<FieldValues>>,
): Promise<Resolver<TValues>> {
  const [{ yupResolver }, loaded] = await loadPart(() =>
    Promise.all([import("@hookform/resolvers/yup"), typeof rules === "function" ? rules() : rules]),
  );
  // The resolver's types lose the output of a generic schema.
  return yupResolver(loaded) as unknown as Resolver<TValues>;
}

export interface AppFormProps<TValues extends FieldValues> {
  form: UseFormReturn<TValues>;
  /**
   * Submits the validated values. If it throws, shows the messages of `extensions.fields` under their fields and, as a
   * notification, {@link INVALID_FORM} for several of them, otherwise the API's message or `fallback`. Keeps the input.
   */
  onSubmit: (values: TValues) => unknown;
  /** Message if the API gives none. */
  fallback: string;
  /** Accessible name, for pages with several forms. */
  label?: string;
  /**
   * Stores the input, except passwords, under this name until the form is submitted, so a reload or navigation loses
   * nothing. Forms for signed-in users include the user's id in the name.
   */
  draft?: string | undefined;
  children: ReactNode;
}

const BusyForm = createContext(false);

/** Returns true while the surrounding form is being submitted. */
export function useFormBusy(): boolean {
  return use(BusyForm);
}

/** A form that validates, shows notifications, focuses the first invalid field, and can't be submitted twice. */
export function AppForm<TValues extends FieldValues>(props: AppFormProps<TValues>) {
  const { form, onSubmit, fallback, label, draft: draftName, children } = props;
  const element = useRef<HTMLFormElement>(null);
  const sending = useRef(false);
  const shouldFocusError = useRef(false);
  const { errors, isSubmitting, isDirty } = form.formState;
  useUnsavedInput(isDirty);
  useDialogBusy(isSubmitting);
  useEarlyInput(form, element);
  const draft = useDraft(form, draftName);

  useEffect(() => {
    if (!shouldFocusError.current || isSubmitting) return;
    shouldFocusError.current = false;
    element.current?.querySelector<HTMLElement>("[aria-invalid=true], [data-invalid=true]")?.focus();
  }, [errors, isSubmitting]);

  useEffect(() => revalidateOnChange(form), [form]);

  async function send(values: TValues) {
    try {
      await onSubmit(values);
      draft.discard();
    } catch (error) {
      const { shown, others } = showFieldErrors(form, error);
      if (shown > 0) shouldFocusError.current = true;
      const isInvalid = shown > 1 && others === 0 && getErrorCode(error) !== null;
      notify.error(isInvalid ? INVALID_FORM : formatError(error, fallback));
    }
  }

  function showErrors(errors: FieldErrors<TValues>) {
    if (errors.root?.type === RULES_MISSING) return notify.error(errors.root.message || fallback);
    shouldFocusError.current = true;
    notify.error(INVALID_FORM);
  }

  function startAgain() {
    form.reset();
    draft.discard();
    element.current?.querySelector<HTMLElement>("input:not([tabindex='-1']), select, textarea")?.focus();
  }

  return (
    <BusyForm value={isSubmitting}>
      <form
        ref={element}
        className={classes.form}
        aria-label={label}
        aria-busy={isSubmitting || undefined}
        noValidate
        // Scripts submit the form. Without them, POST keeps the input out of the URL.
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (sending.current) return;
          sending.current = true;
          notify.clearErrors();
          void form
            .handleSubmit(
              send,
              showErrors,
            )(event)
            .finally(() => {
              sending.current = false;
            });
        }}
      >
        {draft.isRestored && (
          <div className={classes.restored} role="status">
            <span>
              We restored what you typed earlier.
              {Object.keys(form.getValues()).some(isSecret) && " Passwords are never saved."}
            </span>
            <Button variant="subtle" size="xs" onClick={startAgain}>
              Start again
            </Button>
          </div>
        )}
        {children}
        <noscript>
          <p>This form needs JavaScript. Please turn it on, or contact us by email.</p>
        </noscript>
      </form>
    </BusyForm>
  );
}

/** Shows the API's messages under their fields. Returns how many there are, and how many belong to no field of the form. */
function showFieldErrors<TValues extends FieldValues>(form: UseFormReturn<TValues>, error: unknown) {
  const known = form.getValues();
  const found = Object.entries(getFieldErrors(error));
  const here = found.filter(([name]) => name in known);
  for (const [name, [message]] of here) form.setError(name as FieldPath<TValues>, { type: "server", message });
  return { shown: here.length, others: found.length - here.length };
}

/**
 * Validates invalid fields again after every change, because a change in another field can correct them: a repeated password,
 * or the country of a post code. Messages from the API stay until their own field changes.
 */
function revalidateOnChange<TValues extends FieldValues>(form: UseFormReturn<TValues>): () => void {
  return form.subscribe({
    formState: { values: true, errors: true },
    callback: ({ name, errors = {} }) => {
      if (!name) return;
      const others = Object.entries(errors).filter(([field, error]) => field !== name && error?.type !== "server");
      if (others.length > 0) void form.trigger(others.map(([field]) => field as FieldPath<TValues>));
    },
  });
}
