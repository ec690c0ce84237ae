/** Device names reserved by Windows, with any extension. */
const deviceNames = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;
// Characters that Windows rejects in names, and invisible ones: control and format characters, lone surrogates and the
// replacement character of an invalid encoding.
const forbidden = /[<>:"|?*\\/\uFFFD\p{C}\p{Zl}\p{Zp}]/u;
const MAX_NAME_LENGTH = 120;
/** Maximum path length. It is below the limit of Windows, because the path of the user's cache folder comes first. */
const MAX_PATH_LENGTH = 200;
/** Maximum length of `software_files.path_key`, which can be longer than the path. */
const MAX_KEY_LENGTH = 255;
const MAX_DEPTH = 10;

/** Returns why a path is unsafe on some system, as the end of a sentence, or null if it is safe. */
export function findPathError(path: string): string | null {
  if (path === "") return "has no name";
  if (path.length > MAX_PATH_LENGTH || toPathKey(path).length > MAX_KEY_LENGTH) return "has a path that is too long";
  if (/^(?:\/|[a-z]:)/i.test(path)) return "has an absolute path";
  if (path.includes("\\")) return "has a backslash in its path";
  const segments = path.split("/");
  if (segments.length > MAX_DEPTH) return "is nested too deeply";
  for (const segment of segments) {
    if (segment === "..") return "leads out of its folder";
    if (segment === "" || segment === ".") return "has an empty part in its path";
    if (segment.length > MAX_NAME_LENGTH) return "has a name that is too long";
    if (forbidden.test(segment)) return "has characters in its path that are not allowed";
    if (/^ |[ .]$/.test(segment)) return "has a name that starts with a space or ends with a space or a dot";
    if (deviceNames.test(segment)) return "has a name that Windows reserves for a device";
  }
  return null;
}

/** Returns a key that is equal for paths that are the same file on Windows. */
export function toPathKey(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
