import { join } from "node:path";
import type { Plugin } from "vite";
import { brand } from "#schema/brand.ts";
import { CORPORATE_TERMS, fillTokens, TEMPLATES } from "#schema/brand-tokens.ts";
import { type LegalText, renderLegalPdf } from "../../api/app/legal-pdf.ts";
import { getBuiltInBrand } from "./brand-tokens.ts";
import { contentFolder, readMarkdown } from "./read-content.ts";

const FILE = `media/${CORPORATE_TERMS}.pdf`;

/** Reads the corporate terms. */
export function readCorporateTerms(root: string): LegalText {
  const [terms] = readMarkdown(join(root, contentFolder, "legals", `${CORPORATE_TERMS}.md`));
  return terms as LegalText;
}

/**
 * Creates a Vite plugin that adds the corporate terms to the build as a PDF, and renders them on request in development.
 * The build also has their text with placeholders, from which the server renders them for another brand.
 */
export function legalPdfPlugin(root: string): Plugin {
  return {
    name: "legal-pdf",
    async generateBundle() {
      const source = JSON.stringify(readCorporateTerms(root));
      const terms = JSON.parse(fillTokens(source, getBuiltInBrand(), "json")) as LegalText;
      const pdf = await renderLegalPdf(terms, getBuiltInBrand());
      this.emitFile({ type: "asset", fileName: FILE, source: new Uint8Array(pdf) });
      this.emitFile({ type: "asset", fileName: `${TEMPLATES}/${CORPORATE_TERMS}.json`, source });
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_request, response) => {
        void renderLegalPdf(readCorporateTerms(root), brand).then(
          (pdf) => response.setHeader("content-type", "application/pdf").end(pdf),
          (error: unknown) => response.writeHead(500).end(String(error)),
        );
      });
    },
  };
}
