import { type RefObject, useEffect, useRef, useState } from "react";
import { CONTACT_FORM_SECONDS } from "#schema/limits.ts";
import type { ContactFormValues } from "#schema/contact-form.ts";
import { useSession } from "#web/platform/session.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField, PhoneField, TextAreaField, TextField } from "#web/ui/form/native-fields.tsx";
import { FieldColumns, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import classes from "./contact-form.module.css";
import { fetchSender, sendContactMessage, getSessionSender } from "./contact-message.ts";

const loadRules = () => import("#schema/contact-form.ts").then((file) => file.contactFormRules);

/** Longest time reported for filling in the form, in seconds: one day. */
const MAX_SECONDS_TAKEN = 86_400;

/** Shows the contact form, prefilled for signed-in users. */
export function ContactForm() {
  const claims = useSession()?.claims;
  const typedValues = useRef<Partial<ContactFormValues>>({});
  // The key gives each user a fresh form.
  return <SenderForm key={claims?.id ?? "visitor"} typedValues={typedValues} />;
}

const names = ["name", "email", "phone", "message"] as const;

/**
 * The form for one visitor or user. `typedValues` carries text typed before the session was known, for example on a
 * prerendered page, over to the signed-in user's form.
 */
function SenderForm({ typedValues }: { typedValues: RefObject<Partial<ContactFormValues>> }) {
  const claims = useSession()?.claims;
  const isSignedIn = claims !== undefined;
  const [initialValues] = useState(() => ({ ...getSessionSender(claims), message: "", website: "" }));
  const form = useAppForm(loadRules, { defaultValues: initialValues });
  const { control, register, reset, getValues, setValue } = form;
  const openedAt = useRef(0);

  useEffect(() => {
    openedAt.current = Date.now();
  }, []);

  useEffect(() => {
    if (isSignedIn) {
      for (const name of names) {
        const value = typedValues.current[name];
        if (value) setValue(name, value, { shouldDirty: true });
      }
    }
    return () => {
      typedValues.current = isSignedIn ? {} : getValues();
    };
  }, [isSignedIn, typedValues, getValues, setValue]);

  useEffect(() => {
    if (!isSignedIn) return;
    let isUnmounted = false;
    void fetchSender().then((sender) => {
      if (!sender || isUnmounted) return;
      const typed = getValues();
      reset({ ...initialValues, ...sender }, { keepErrors: true, keepIsSubmitted: true });
      // Keeps input that the user typed while the profile was loading.
      for (const name of names)
        if (typed[name] !== initialValues[name]) setValue(name, typed[name], { shouldDirty: true });
    });
    return () => {
      isUnmounted = true;
    };
  }, [isSignedIn, initialValues, getValues, reset, setValue]);

  async function send(values: ContactFormValues) {
    // Browsers can fill in the whole form immediately. A short wait avoids treating their users as bots.
    await pause(openedAt.current + CONTACT_FORM_SECONDS * 1_000 - Date.now());
    const elapsedSeconds = Math.floor((Date.now() - openedAt.current) / 1_000);
    const secondsTaken = Math.min(Math.max(elapsedSeconds, CONTACT_FORM_SECONDS), MAX_SECONDS_TAKEN);
    const confirmation = await sendContactMessage({ ...values, secondsTaken });
    notify.success(confirmation);
    reset();
  }

  return (
    <AppForm
      form={form}
      onSubmit={send}
      fallback="Unable to send your message."
      label="Contact us"
      draft={`contact-us.${claims?.id ?? "visitor"}`}
    >
      <TextField control={control} name="name" label="Name" autoComplete="name" />
      <FieldColumns>
        <EmailField control={control} name="email" label="Email" />
        <PhoneField control={control} name="phone" label="Phone Number" />
      </FieldColumns>
      <TextAreaField control={control} name="message" label="Message" rows={10} hint="Up to 500 words." />
      <div className={classes.unseen} aria-hidden="true">
        <label>
          Leave this empty
          <input {...register("website")} tabIndex={-1} autoComplete="off" data-1p-ignore data-lpignore="true" />
        </label>
      </div>
      <FormActions>
        <SubmitButton>Send</SubmitButton>
      </FormActions>
    </AppForm>
  );
}

function pause(ms: number): Promise<void> {
  return ms > 0
    ? new Promise((resolve) => setTimeout(resolve, Math.min(ms, CONTACT_FORM_SECONDS * 1_000)))
    : Promise.resolve();
}
