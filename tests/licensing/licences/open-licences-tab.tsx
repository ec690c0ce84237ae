import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { renderWeb } from "#tests/support/render-web.tsx";
import { LicencesTab } from "#web/licensing/licences/licences-tab.tsx";
import { UserLicencesDocument } from "#web/generated/graphql.ts";

/** A mocked response for Apollo. */
export type Mock = MockLink.MockedResponse;

/** Returns a concurrent licence as listed in the tab, with `changes`. */
export function buildLicence(changes: Record<string, unknown> = {}) {
  return {
    __typename: "Licence",
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
    allowOnVms: false,
    projectTerm: null,
    purchaseOrderNumber: "PO-4711",
    expiresAt: "2027-03-09T14:05:00.000Z",
    periodEndsAt: "2027-03-09T14:05:00.000Z",
    renewal: "NONE",
    status: "ACTIVE",
    isSubscribed: false,
    usageLimit: null,
    usageCount: 0,
    ...changes,
  };
}

/** First request of the tab. */
export const licencesRequest = { query: UserLicencesDocument, variables: { userId: "user-7", seesCodes: true } };
/** Returns the response with the tab's list. */
export const mockLicences = (...licences: object[]): Mock => ({
  request: licencesRequest,
  result: { data: { user: { __typename: "User", id: "user-7", licences } } },
});

/** Opens the Licences tab of user-7 with the mocked responses. */
export function openLicencesTab(...mocks: Mock[]) {
  return renderWeb(
    <MockedProvider mocks={mocks}>
      <LicencesTab userId="user-7" />
    </MockedProvider>,
  );
}

/** Chooses an action for the only licence. */
export async function chooseAction(user: ReturnType<typeof openLicencesTab>["user"], action: string) {
  await user.click(await screen.findByRole("button", { name: "Actions for Planvarro Corporate S-7K3QMX9D" }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
}

/** Mocks a mutation that accepts any variables, and records them. */
export function mockMutation(
  query: Mock["request"]["query"],
  result: Mock["result"] | { error: string; code: string },
) {
  const sent: Record<string, unknown>[] = [];
  const mock = {
    request: {
      query,
      variables: (variables: Record<string, unknown>) => {
        sent.push(variables);
        return true;
      },
    },
    result:
      result && "error" in result
        ? { errors: [new GraphQLError(result.error, { extensions: { code: result.code } })] }
        : result,
    maxUsageCount: 5,
  } as unknown as Mock;
  return { mock, sent };
}
