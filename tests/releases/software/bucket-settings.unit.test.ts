import { expect, test } from "vitest";
import { readConfig } from "#api/config.ts";
import { parseBucketUrl } from "#api/platform/files/bucket-settings.ts";

test.each([
  [
    "s3://my-builds?region=ap-southeast-2",
    { bucket: "my-builds", region: "ap-southeast-2", endpoint: null, credentials: null },
  ],
  [
    "s3://AKIA:se%2Fcret%2B@my-builds?region=eu-west-1",
    {
      bucket: "my-builds",
      region: "eu-west-1",
      endpoint: null,
      credentials: { accessKeyId: "AKIA", secretAccessKey: "se/cret+" },
    },
  ],
  [
    "https://key:secret@files.example:9000/builds?region=auto",
    {
      bucket: "builds",
      region: "auto",
      endpoint: "https://files.example:9000",
      credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    },
  ],
  [
    "http://files:9000/builds/",
    { bucket: "builds", region: "us-east-1", endpoint: "http://files:9000", credentials: null },
  ],
])("parses the bucket URL %s", (text, settings) => {
  expect(parseBucketUrl(text, false)).toEqual(settings);
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
