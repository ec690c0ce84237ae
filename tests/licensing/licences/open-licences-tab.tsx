import type { DocumentNode } from "@apollo/client";
import { screen } from "@testing-library/react";
import { type Mock, mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { LicencesTab } from "#web/licensing/licences/licences-tab.tsx";
import { UserLicencesDocument } from "#web/generated/graphql.ts";

/** Returns a concurrent licence as listed in the tab, with `changes`. */
export function buildLicence(changes: Record<string, unknown> = {}) {
  return {
    id: "licence-1",
    licenceCode: "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-FFFFF",
    supportCode: "S-7K3QMX9D",
    product: "Planvarro",
    productLevel: "CORPORATE",
    subscriptionLevel: "Corporate",
    licenceType: "CONCURRENT",
    licenceCategory: "TRANSITIONAL_LICENCING",
    licenceActivationType: "CONCURRENT",
    numberOfUsers: 5,
    numberOfMachines: 10,
    purchaseOrderNumber: "PO-4711",
    expiresAt: "2027-03-09T14:05:00.000Z",
    periodEndsAt: "2027-03-09T14:05:00.000Z",
    renewal: "NONE",
    status: "ACTIVE",
    ...changes,
  };
}

/** Mocks the list of the tab. */
export const mockLicences = (...licences: object[]): Mock =>
  mockQuery(UserLicencesDocument, { userId: "user-7", seesCodes: true }).returns({ user: { id: "user-7", licences } });

/** Opens the Licences tab of user-7 with the mocked responses. */
export const openLicencesTab = (...mocks: Mock[]) => renderMocked(mocks, <LicencesTab userId="user-7" />);

/** Chooses an action for the only licence. */
export async function chooseAction(user: ReturnType<typeof openLicencesTab>["user"], action: string) {
  await user.click(await screen.findByRole("button", { name: "Actions for Planvarro Corporate S-7K3QMX9D" }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
}

/** Mocks a mutation that accepts any variables, and records them. */
export function mockMutation(
  query: DocumentNode,
  answer: { data: Record<string, unknown> } | { error: string; code: string },
) {
  const sent: Record<string, unknown>[] = [];
  const mutation = mockQuery(query, (variables: Record<string, unknown>) => sent.push(variables) > 0, 5);
  return { mock: "error" in answer ? mutation.fails(answer.code, answer.error) : mutation.returns(answer.data), sent };
}
