/**
 * Letters that look like Latin ones, and the Latin letters, in the same order: Cyrillic, Greek, Armenian, accented letters and
 * digits.
 */
const lookAlikes = {
  from: "аеорсухіјѕһԁɡԛѡвнкмтгпзαορνικτυχωօսոհցքզàáâãäåāçćčèéêëēęìíîïīıłñńòóôõöøōśšùúûüūýÿźżž01",
  to: "aeopcyxijshdgqwbhkmtrn3aopvlktuxwounhgpqaaaaaaaccceeeeeeiiiiiilnnooooooossuuuuuyyzzzol",
} as const;

/** Returns SQL for the appearance of an address: two addresses with the same one are easily taken for each other. */
export const toSkeletonSql = (sql: string): string =>
  `replace(replace(translate(${sql}, '${lookAlikes.from}', '${lookAlikes.to}'), 'rn', 'm'), 'vv', 'w')`;

const scripts = ["Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Georgian", "Hebrew", "Arabic"].map(
  (script) => new RegExp(`\\p{sc=${script}}`, "u"),
);

/** Returns whether a part of an address between dots mixes scripts that nobody writes in one word. */
export function mixesScripts(address: string): boolean {
  return address.split(/[@.]/).some((part) => scripts.filter((script) => script.test(part)).length > 1);
}
