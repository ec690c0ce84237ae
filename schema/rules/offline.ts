import { type InferType, object } from "yup";
import { REQUEST_FILE_MAX_BYTES, REQUEST_FILE_TOO_LARGE, readRequestFile } from "#schema/request-file.ts";
import { paragraphs } from "./text.ts";

/** `POST /v1/licence/offline` and the portal's form: the request file's text, as it is or in base64. */
export const offlineActivationRules = object({
  requestFile: paragraphs(REQUEST_FILE_MAX_BYTES, REQUEST_FILE_TOO_LARGE)
    .required("Please choose or paste the request file.")
    .test("request-file", function requestFile(text) {
      if (!text || text.length > REQUEST_FILE_MAX_BYTES) return true;
      const bytes = new TextEncoder().encode(text).length;
      if (bytes > REQUEST_FILE_MAX_BYTES) return this.createError({ message: REQUEST_FILE_TOO_LARGE });
      const read = readRequestFile(text);
      return "fault" in read ? this.createError({ message: read.fault }) : true;
    }),
});
export type OfflineActivationValues = InferType<typeof offlineActivationRules>;
