import { buildWebhookSchema, webhookDataSchemas } from "#api/webhooks/endpoints/webhook-data.ts";
import { webhookEvents } from "#schema/webhooks.ts";
import { capitalize, type Refer, json } from "./openapi-components.ts";

/** Builds the `webhooks` section: one POST to the receiver for each type of event (docs/webhooks.md). */
export function buildWebhooks(refer: Refer): object {
  const { $defs } = buildWebhookSchema(webhookEvents) as { $defs: Readonly<Record<string, object>> };
  return Object.fromEntries(
    webhookEvents.map(({ value, description, code }) => [
      value,
      {
        post: {
          operationId: `webhook${toTypeName(code)}`,
          tags: ["Webhooks"],
          summary: description,
          // The signature proves the sender.
          security: [],
          parameters: webhookHeaders,
          requestBody: {
            required: true,
            content: json(refer({ title: `${toTypeName(code)}Event`, ...$defs[value] }), buildWebhookExample(value)),
          },
          responses: { "2XX": { description: "Received. Anything else is sent again later." } },
        },
      },
    ]),
  );
}

const webhookHeaders = [
  { name: "webhook-id", in: "header", required: true, schema: { type: "string", format: "uuid" } },
  { name: "webhook-timestamp", in: "header", required: true, schema: { type: "integer" } },
  { name: "webhook-signature", in: "header", required: true, schema: { type: "string" } },
].map((header) => ({ ...header, description: "See docs/webhooks.md." }));

const toTypeName = (code: string) => code.toLowerCase().split("_").map(capitalize).join("");

/** Builds an example of an event's body from its schema: the first of a list of values, and typical values of each format. */
function buildWebhookExample(type: keyof typeof webhookDataSchemas): object {
  const id = "4b6f0d0e-6b0e-4f0f-8a3e-0d4c3d0c9c52";
  return { id, type, createdAt: EXAMPLE_TIME, data: buildExample(webhookDataSchemas[type] as object) };
}

const EXAMPLE_TIME = "2026-11-22T09:30:00.000Z";

interface ExampleSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly items?: ExampleSchema;
}

function buildExample(schema: ExampleSchema): unknown {
  const { enum: values, format, items, properties } = schema;
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, buildExample(one)]));
  if (values) return values[0];
  if (items) return [buildExample(items)];
  if (Array.isArray(schema.type)) return null;
  if (format === "uuid") return "9d0f4c52-31c0-4f5a-9a53-0f1b8a3e5d11";
  if (format === "date-time") return EXAMPLE_TIME;
  return { integer: 1, boolean: false, object: {}, string: "text" }[String(schema.type)] ?? null;
}
