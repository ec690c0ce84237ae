import { type RefObject, useEffect, useRef, useState } from "react";
import { CONTACT_FORM_SECONDS } from "#schema/limits.ts";
import type { ContactFormValues } from "#schema/rules/contact-form.ts";
import { useSession } from "#web/platform/session.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField, PhoneField, TextAreaField, TextField } from "#web/ui/form/fields.tsx";
import { FieldColumns, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import classes from "./contact-form.module.css";
import { fetchSender, sendContactMessage, senderOf } from "./contact-message.ts";

const loadRules = () => import("#schema/rules/contact-form.ts").then((file) => file.contactFormRules);

/** A day: how long the form may have been open is of no interest beyond it. */
const MOST_SECONDS = 86_400;

/** The contact form, filled in beforehand for the signed-in. */
export function ContactForm() {
  const claims = useSession()?.claims;
  const begun = useRef<Partial<ContactFormValues>>({});
  // Another person begins with a form of their own.
  return <FormOfOnePerson key={claims?.id ?? "visitor"} begun={begun} />;
}

const names = ["name", "email", "phone", "message"] as const;

/** `begun` is what a visitor has typed so far, for who turns out to be signed in, as after a prerendered page. */
function FormOfOnePerson({ begun }: { begun: RefObject<Partial<ContactFormValues>> }) {
  const claims = useSession()?.claims;
  const isSignedIn = claims !== undefined;
  const [known] = useState(() => ({ ...senderOf(claims), message: "", website: "" }));
  const form = useAppForm(loadRules, { defaultValues: known });
  const { control, register, reset, getValues, setValue } = form;
  const openedAt = useRef(0);

  useEffect(() => {
    openedAt.current = Date.now();
  }, []);

  useEffect(() => {
    if (isSignedIn) {
      for (const name of names) {
        const value = begun.current[name];
        if (value) setValue(name, value, { shouldDirty: true });
      }
    }
    return () => {
      begun.current = isSignedIn ? {} : getValues();
    };
  }, [isSignedIn, begun, getValues, setValue]);

  useEffect(() => {
    if (!isSignedIn) return;
    let left = false;
    void fetchSender().then((sender) => {
      if (!sender || left) return;
      const typed = getValues();
      reset({ ...known, ...sender }, { keepErrors: true, keepIsSubmitted: true });
      // What the person has typed meanwhile stays.
      for (const name of names) if (typed[name] !== known[name]) setValue(name, typed[name], { shouldDirty: true });
    });
    return () => {
      left = true;
    };
  }, [isSignedIn, known, getValues, reset, setValue]);

  async function send(values: ContactFormValues) {
    // A browser that fills in everything at once waits a moment rather than being taken for a program.
    await pause(openedAt.current + CONTACT_FORM_SECONDS * 1_000 - Date.now());
    const seconds = Math.floor((Date.now() - openedAt.current) / 1_000);
    const secondsTaken = Math.min(Math.max(seconds, CONTACT_FORM_SECONDS), MOST_SECONDS);
    const sentence = await sendContactMessage({ ...values, secondsTaken });
    notify.success(sentence);
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
      <TextAreaField control={control} name="message" label="Message" rows={10} hint="At most 500 words." />
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
