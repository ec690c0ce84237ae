import content from "content:legal-heads/terms-and-conditions";
import { LegalPage } from "./legal-page.tsx";

const load = async () => (await import("content:legals/terms-and-conditions")).default.html;

export default function TermsPage() {
  return <LegalPage content={content} load={load} />;
}
