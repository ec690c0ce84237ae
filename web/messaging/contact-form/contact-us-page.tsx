import content from "content:pages/contact-us";
import { Band, Split } from "#web/ui/band.tsx";
import { PageHero } from "#web/ui/page-hero.tsx";
import layout from "#web/ui/layout.module.css";
import classes from "./contact-us-page.module.css";
import { brand } from "#schema/brand.ts";
import { ContentLink } from "#web/ui/content-link.tsx";
import { MailLink } from "#web/ui/mail-link.tsx";
import { type RefObject, useEffect, useRef, useState } from "react";
import { countCharacters } from "#schema/clean-text.ts";
import { CONTACT_FORM_SECONDS } from "#schema/limits.ts";
import type { ContactFormValues } from "#schema/contact-form.ts";
import { useSession, type Claims, getSession } from "#web/platform/session.ts";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { EmailField, PhoneField, TextAreaField, TextField } from "#web/ui/form/native-fields.tsx";
import { FieldColumns, FormActions, SubmitButton } from "#web/ui/form/form-parts.tsx";
import { notify } from "#web/platform/notifications.ts";
import { postGraphql } from "#web/platform/post-graphql.ts";
import senderOperation from "operation:ContactSender";
import sendOperation from "operation:SendContactMessage";

export default function ContactUsPage() {
  return (
    <>
      <PageHero content={content} />
      <Band id="write-to-us">
        <Split columns="minmax(0, 1.6fr) minmax(0, 1fr)">
          <div className={`${layout.framed} ${classes.panel}`}>
            <ContactForm />
          </div>
          <div className={`${layout.card} ${classes.panel}`} data-night>
            <ContactDetails />
          </div>
        </Split>
      </Band>
    </>
  );
}

/**
 * Details shown next to the contact form: mailboxes, reply times, the company's registration numbers and address, and a
 * link to its page on the professional network.
 */
function ContactDetails() {
  const { company } = brand;
  return (
    <>
      <section>
        <h2 style={{ fontSize: "1.5rem" }}>Email us directly</h2>
        <dl className={classes.list}>
          {content.mailboxes.map(({ name, for: purpose }) => {
            const mailbox = name as keyof typeof brand.mailboxes;
            return (
              <div key={name}>
                <dt>{brand.mailboxes[mailbox].label}</dt>
                <dd>
                  <MailLink to={mailbox} />
                  <p className={layout.note}>{purpose}</p>
                </dd>
              </div>
            );
          })}
        </dl>
      </section>
      <p className={layout.marked}>{content.timeZoneNote}</p>
      <section>
        <h2 style={{ fontSize: "1.0625rem" }}>{company.legalName}</h2>
        <dl className={classes.list}>
          <div>
            <dt>Australian Business Number (ABN)</dt>
            <dd>{company.abn}</dd>
          </div>
          <div>
            <dt>Australian Company Number (ACN)</dt>
            <dd>{company.acn}</dd>
          </div>
          <div>
            <dt>Address</dt>
            <dd>{company.address}</dd>
          </div>
          <div>
            <dt>Professional network</dt>
            <dd>
              <ContentLink to={brand.networkUrl}>{brand.networkLabel}</ContentLink>
            </dd>
          </div>
        </dl>
      </section>
    </>
  );
}

const loadRules = () => import("#schema/contact-form.ts").then((file) => file.contactFormRules);

/** Longest time reported for filling in the form, in seconds: one day. */
const MAX_SECONDS_TAKEN = 86_400;

/** Shows the contact form, prefilled for signed-in users. */
function ContactForm() {
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
    const shortestMs = CONTACT_FORM_SECONDS * 1_000;
    const waitMs = Math.min(openedAt.current + shortestMs - Date.now(), shortestMs);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const elapsedSeconds = Math.floor((Date.now() - openedAt.current) / 1_000);
    const secondsTaken = Math.min(Math.max(elapsedSeconds, CONTACT_FORM_SECONDS), MAX_SECONDS_TAKEN);
    const token = (await accessToken()) ?? undefined;
    const { sendContactMessage } = await postGraphql(sendOperation, { input: { ...values, secondsTaken } }, token);
    notify.success(sendContactMessage.message);
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
      {/* Looks like a normal field to bots that fill in forms. */}
      <div className={layout.hidden} aria-hidden="true">
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

interface Sender {
  name: string;
  email: string;
  phone: string;
}

/** Returns the full name, or only the first name if the full name is too long for the form. */
function formatName(firstName: string, lastName: string): string {
  const fullName = `${firstName} ${lastName}`.trim();
  return countCharacters(fullName) > 30 ? firstName : fullName;
}

/** Returns the sender's details from the session, empty for a visitor. */
function getSessionSender(claims: Claims | undefined): Sender {
  if (!claims) return { name: "", email: "", phone: "" };
  return { name: formatName(claims.givenName, claims.familyName), email: claims.email, phone: "" };
}

/**
 * Returns the access token of the session. The session code loads only for signed-in users, because most senders are
 * visitors.
 */
async function accessToken(): Promise<string | null> {
  return getSession() ? (await import("#web/platform/refresh-session.ts")).getAccessToken(true) : null;
}

/** Returns the signed-in user's profile, or null if it can't be loaded, in which case the form works without it. */
async function fetchSender(): Promise<Sender | null> {
  try {
    const token = await accessToken();
    if (!token) return null;
    const { me } = await postGraphql(senderOperation, {}, token);
    return { name: formatName(me.firstName, me.lastName), email: me.email, phone: me.mobile };
  } catch {
    return null;
  }
}
