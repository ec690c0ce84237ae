import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";
import { expect, expectAccessible, expectNoHorizontalScroll, signInAsDemo, test } from "#tests/support/browser.ts";

test("adds an endpoint and sends a test event signed with its secret", async ({ page }) => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(200, { "content-type": "application/json" }).end('{"taken":true}');
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;

  await signInAsDemo(page, "ada");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();
  await expectAccessible(page, "webhooks without an endpoint");
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const form = page.getByRole("dialog", { name: "Add endpoint" });
  await form.getByLabel("Endpoint URL").fill(url);
  await form.getByLabel("Description").fill("Test receiver");
  await form.getByRole("button", { name: "Choose all" }).click();
  await expectAccessible(page, "adding an endpoint");
  await form.getByRole("button", { name: "Add endpoint" }).click();
  const secretDialog = page.getByRole("dialog", { name: "Your signing secret" });
  const secret = (await secretDialog.getByText(/^whsec_/).textContent()) ?? "";
  await secretDialog.getByRole("button", { name: "I’ve saved it" }).click();

  await expect(page.getByRole("heading", { level: 2, name: url })).toBeVisible();
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByRole("status", { name: "Outcome" })).toContainText("The test event was delivered");
  expect(received).toHaveLength(1);
  const { headers, body } = received[0] ?? { headers: {}, body: "" };
  const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string };
  expect(event.type).toBe("webhook.test");

  await page.getByRole("button", { name: "Show delivery" }).click();
  await expect(page.getByRole("group", { name: "Payload of webhook.test" })).toContainText('"type": "webhook.test"');
  await expect(page.getByRole("group", { name: "Response to attempt 1" })).toContainText('"taken": true');
  await expectAccessible(page, "an endpoint with a delivery");
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Replay webhook.test" }).click();
  await expect(page.getByRole("status", { name: "Outcome" })).toContainText("The event was delivered");
  expect(received.map((one) => one.headers["webhook-id"])).toEqual([headers["webhook-id"], headers["webhook-id"]]);

  await page.getByRole("main").getByRole("link", { name: "Webhooks" }).click();
  const row = page.getByRole("row", { name: url });
  await expect(row).toContainText("Delivered");
  await expectAccessible(page, "the list of endpoints");
  await row.getByRole("button", { name: `Actions for ${url}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete endpoint" }).getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "No endpoints yet" })).toBeVisible();
  receiver.close();
});
