import { vi } from "vitest";

/** Replacement for XMLHttpRequest that keeps an upload pending until the test ends it. */
export class FakeUpload extends EventTarget {
  static readonly begun: FakeUpload[] = [];
  readonly upload = new EventTarget();
  readonly headers: Record<string, string> = {};
  address = "";
  body = new FormData();
  status = 0;
  responseText = "";
  wasAborted = false;

  open(method: string, url: string): void {
    this.address = `${method} ${url}`;
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value;
  }

  send(body: FormData): void {
    this.body = body;
    FakeUpload.begun.push(this);
  }

  abort(): void {
    this.wasAborted = true;
    this.#end("abort");
  }

  /** Reports that `loaded` of `total` bytes have been sent. */
  progress(loaded: number, total: number): void {
    this.upload.dispatchEvent(new ProgressEvent("progress", { lengthComputable: true, loaded, total }));
  }

  answer(body: unknown, status = 200): void {
    this.status = status;
    this.responseText = typeof body === "string" ? body : JSON.stringify(body);
    this.#end("load");
  }

  /** Ends the upload with a network error. */
  lose(): void {
    this.#end("error");
  }

  #end(event: string): void {
    this.dispatchEvent(new Event(event));
    this.dispatchEvent(new Event("loadend"));
  }
}

/** Replaces XMLHttpRequest with {@link FakeUpload}. */
export function holdUploads(): void {
  FakeUpload.begun.length = 0;
  vi.stubGlobal("XMLHttpRequest", FakeUpload);
}

/** Creates a file that claims a size in bytes, so that tests need no large files. */
export function createFile(name: string, size = 4): File {
  const file = new File(["data"], name);
  Object.defineProperty(file, "size", { value: size });
  return file;
}
