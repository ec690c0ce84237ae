import type { ReactNode } from "react";
import { Box, Picture, Stroke } from "#web/ui/pictures/parts.tsx";
import { Bar, Ghost, Milestone, Summary } from "#web/site/pictures/schedule-parts.tsx";

/** Licences for several users, named as in web/site/content/pages/trial-and-subscribe.md. */
export type LicenceForm = "corporate" | "concurrent" | "project" | "commercial" | "enterprise";

/** Illustration of how users share a licence over time, decorative next to its name. */
export function LicenceIllustration({ form }: { form: LicenceForm }) {
  return (
    <Picture width={112} height={56}>
      <Box x={0.5} y={0.5} w={111} h={55} r={8} tone="sunken" line="line" />
      {signs[form]}
    </Picture>
  );
}

const signs: Record<LicenceForm, ReactNode> = {
  // Named planners, renewed together.
  corporate: (
    <>
      {[15, 28, 41].map((y) => (
        <Bar key={y} x={14} y={y} w={70} h={7} />
      ))}
      <Stroke d="M84 15h12v26H84M84 28h12" />
      <Milestone x={96} y={28} r={5} />
    </>
  ),
  // Two seats that planners use one after another.
  concurrent: (
    <>
      <Bar x={14} y={20} w={30} h={9} />
      <Bar x={48} y={20} w={22} h={9} tone="actual" />
      <Bar x={74} y={20} w={24} h={9} tone="milestone" />
      <Bar x={14} y={36} w={18} h={9} tone="actual" />
      <Ghost x={36} y={36} w={26} h={9} />
      <Bar x={66} y={36} w={32} h={9} />
    </>
  ),
  // From one milestone to another.
  project: (
    <>
      <Stroke d="M18 28h76" />
      <Bar x={26} y={28} w={60} h={9} />
      <Milestone x={18} y={28} r={6} />
      <Milestone x={94} y={28} r={6} />
    </>
  ),
  // Work for the firm's clients.
  commercial: (
    <>
      <Bar x={14} y={28} w={34} h={9} />
      <Stroke d="M48 28h14M56 28V15h6M56 28v13h6" />
      {[15, 28, 41].map((y) => (
        <Bar key={y} x={64} y={y} w={34} h={7} tone="actual" />
      ))}
    </>
  ),
  // Summary bars nested inside each other.
  enterprise: (
    <>
      <Summary x={14} y={13} w={84} />
      <Summary x={14} y={27} w={38} />
      <Summary x={60} y={27} w={38} />
      <Bar x={14} y={42} w={20} h={7} />
      <Bar x={38} y={42} w={14} h={7} />
      <Bar x={60} y={42} w={14} h={7} />
      <Bar x={78} y={42} w={20} h={7} />
    </>
  ),
};
