import type { Plugin } from "vite";
import { renderLegalPdf } from "./legal-pdf.ts";

const NAME = "corporate-licence-terms";
const FILE = `media/${NAME}.pdf`;

/** Creates a Vite plugin that adds the corporate terms to the build as a PDF, and renders them on request in development. */
export function legalPdfPlugin(root: string): Plugin {
  return {
    name: "legal-pdf",
    async generateBundle() {
      this.emitFile({ type: "asset", fileName: FILE, source: new Uint8Array(await renderLegalPdf(root, NAME)) });
    },
    configureServer(server) {
      server.middlewares.use(`/${FILE}`, (_request, response) => {
        void renderLegalPdf(root, NAME).then(
          (pdf) => response.setHeader("content-type", "application/pdf").end(pdf),
          (error: unknown) => response.writeHead(500).end(String(error)),
        );
      });
    },
  };
}
