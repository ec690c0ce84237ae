import content from "content:legal-heads/privacy-policy";
import { LegalPage } from "./legal-page.tsx";

const load = async () => (await import("content:legals/privacy-policy")).default.html;

export default function PrivacyPage() {
  return <LegalPage content={content} load={load} />;
}
