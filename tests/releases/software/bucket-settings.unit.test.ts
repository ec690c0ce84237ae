import { expect, test } from "vitest";
import { readConfig } from "#api/config.ts";
import { parseBucketUrl } from "#api/platform/files/bucket-settings.ts";

test.each([
  ["s3://my-builds?region=ap-southeast-2", { bucket: "my-builds", region: "ap-southeast-2" }],
  [
    "s3://AKIA:se%2Fcret%2B@builds?region=eu-west-1",
    { region: "eu-west-1", credentials: { accessKeyId: "AKIA", secretAccessKey: "se/cret+" } },
  ],
  [
    "https://AKIA:secret@files.example:9000/builds?region=auto",
    {
      region: "auto",
      endpoint: "https://files.example:9000",
      credentials: { accessKeyId: "AKIA", secretAccessKey: "secret" },
    },
  ],
  ["http://files:9000/builds/", { region: "us-east-1", endpoint: "http://files:9000" }],
])("parses the bucket URL %s", (text, settings) => {
  expect(parseBucketUrl(text, false)).toEqual({ bucket: "builds", endpoint: null, credentials: null, ...settings });
});

test.each([
  "builds",
  "ftp://host/builds",
  "https://host/",
  "https://host/a/b",
  "https://host/UPPER",
  "https://host/builds?bucket=x",
  "https://host/builds#x",
  "s3://builds",
  "s3://builds/folder?region=x",
  "https://key@host/builds",
  "https://:verysecret@host/builds",
  "https://key:very%zzsecret@host/builds",
])("rejects %s with a message that contains no secrets", (text) => {
  const errors = parseBucketUrl(text, false);
  expect(errors).toEqual([expect.stringMatching(/^FILES_URL must .*\.$/)]);
  expect(JSON.stringify(errors)).not.toContain("verysecret");
});

test("requires an encrypted connection in production", () => {
  expect(parseBucketUrl("http://files:9000/builds", true)).toEqual([
    "FILES_URL must start with https:// or s3:// in production.",
  ]);
  expect(parseBucketUrl("https://files:9000/builds", true)).toMatchObject({ bucket: "builds" });
});

test("validates FILES_URL at startup and stores builds on disk without it", () => {
  expect(() => readConfig({ NODE_ENV: "test", FILES_URL: "https://key:verysecret@host/" })).toThrow(
    /- FILES_URL must look like(?!.*verysecret)/,
  );
  expect(readConfig({ NODE_ENV: "test" }).bucket).toBeNull();
  expect(readConfig({ NODE_ENV: "test", FILES_URL: "s3://builds?region=eu-west-1" }).bucket).toMatchObject({
    bucket: "builds",
  });
});
