import "reflect-metadata";
import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isObjectType } from "graphql";
import { buildSchemaSync, getMetadataStorage } from "type-graphql";
import { ProfileResolver } from "#api/access/profile/profile.resolver.ts";
import { DeleteAccountResolver } from "#api/privacy/erasure/delete-account.resolver.ts";
import { PasswordResolver } from "#api/access/passwords/password.resolver.ts";
import { RegistrationResolver } from "#api/access/registration/registration.resolver.ts";
import { UserPageResolver, UserResolver } from "#api/staff/users/user.resolver.ts";
import { UserFormResolver } from "#api/staff/users/user-form.resolver.ts";
import { AddressResolver } from "#api/people/addresses/address.resolver.ts";
import { AuthResolver } from "#api/access/sessions/auth.resolver.ts";
import { SessionResolver } from "#api/access/sessions/session.resolver.ts";
import { ViewAsCustomerResolver } from "#api/access/sessions/view-as-customer.resolver.ts";
import { CommentResolver } from "#api/staff/comments/comment.resolver.ts";
import { ContactResolver } from "#api/staff/contacts/contact.resolver.ts";
import { BulkResolver } from "#api/staff/bulk/bulk.resolver.ts";
import { ContactFormResolver } from "#api/messaging/contact-form/contact-form.resolver.ts";
import { ErasureResolver } from "#api/privacy/erasure/erasure.resolver.ts";
import { LeaseResolver, LicenceLeasesResolver } from "#api/licensing/leases/lease.resolver.ts";
import { DeviceAuthorizationResolver } from "#api/licensing/device-authorizations/device-authorization.resolver.ts";
import { DeviceResolver } from "#api/licensing/devices/device.resolver.ts";
import { OfflineActivationResolver } from "#api/licensing/devices/offline-activation.resolver.ts";
import { InvoiceResolver, InvoicesOfUserResolver } from "#api/selling/invoices/invoice.resolver.ts";
import { LicenceAdminResolver } from "#api/licensing/licences/licence-admin.resolver.ts";
import { LicencePeriodResolver } from "#api/selling/subscriptions/licence-period.resolver.ts";
import { LicenceResolver } from "#api/licensing/licences/licence.resolver.ts";
import {
  HistoryOfDeviceResolver,
  HistoryOfLicenceResolver,
  LicenceEventResolver,
} from "#api/licensing/licences/licence-event.resolver.ts";
import {
  PersonalAccessTokenResolver,
  TokensOfUserResolver,
} from "#api/access/personal-access-tokens/personal-access-token.resolver.ts";
import { ClearTwoStepResolver } from "#api/access/two-step/clear-two-step.resolver.ts";
import { TwoStepResolver } from "#api/access/two-step/two-step.resolver.ts";
import { OffersOfChannelResolver, SoftwareBuildResolver } from "#api/releases/software/software-build.resolver.ts";
import { SoftwareResolver } from "#api/releases/software/software.resolver.ts";
import { UploadSoftwareResolver } from "#api/releases/software/upload/upload.resolver.ts";
import { PlanResolver } from "#api/selling/plans/plan.resolver.ts";
import { PromoCodeResolver } from "#api/selling/promo-codes/promo-code.resolver.ts";
import { SubscriptionResolver } from "#api/selling/subscriptions/subscription.resolver.ts";
import { TrialResolver } from "#api/licensing/trials/trial.resolver.ts";
import { DashboardResolver } from "#api/staff/dashboard/dashboard.resolver.ts";
import { AttentionResolver } from "#api/staff/attention/attention.resolver.ts";
import { AuditResolver } from "#api/staff/audit-log/audit.resolver.ts";
import { ReportResolver } from "#api/staff/reports/report.resolver.ts";
import { SearchResolver } from "#api/staff/search/search.resolver.ts";
import { TimelineResolver } from "#api/staff/timeline/timeline.resolver.ts";
import { SavedReportResolver } from "#api/staff/saved-reports/saved-report.resolver.ts";
import {
  WebhookAttemptResolver,
  WebhookDeliveryResolver,
  WebhookResolver,
} from "#api/webhooks/endpoints/webhook.resolver.ts";
import { permissions, scopeFaults } from "./permissions.ts";
import { AudienceChecker } from "#api/platform/allow.ts";

/**
 * The product's GraphQL schema, built from the decorators.
 * @throws Error when a row of the permissions is missing, left over or differs.
 */
export function buildGraphqlSchema(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
      AuthResolver,
      PasswordResolver,
      RegistrationResolver,
      ProfileResolver,
      SessionResolver,
      ViewAsCustomerResolver,
      PersonalAccessTokenResolver,
      TokensOfUserResolver,
      TwoStepResolver,
      ClearTwoStepResolver,
      UserResolver,
      UserPageResolver,
      UserFormResolver,
      DeleteAccountResolver,
      ErasureResolver,
      LicenceResolver,
      LicenceAdminResolver,
      LicencePeriodResolver,
      DeviceResolver,
      OfflineActivationResolver,
      LeaseResolver,
      LicenceLeasesResolver,
      LicenceEventResolver,
      HistoryOfLicenceResolver,
      HistoryOfDeviceResolver,
      DeviceAuthorizationResolver,
      TrialResolver,
      PlanResolver,
      PromoCodeResolver,
      InvoiceResolver,
      InvoicesOfUserResolver,
      SubscriptionResolver,
      SoftwareResolver,
      UploadSoftwareResolver,
      SoftwareBuildResolver,
      OffersOfChannelResolver,
      ContactFormResolver,
      AddressResolver,
      ContactResolver,
      CommentResolver,
      AttentionResolver,
      DashboardResolver,
      AuditResolver,
      SearchResolver,
      TimelineResolver,
      BulkResolver,
      SavedReportResolver,
      ReportResolver,
      WebhookResolver,
      WebhookDeliveryResolver,
      WebhookAttemptResolver,
    ],
    authChecker: AudienceChecker,
    validate: false,
  });
  const faults = [...permissionFaults(schema), ...scopeFaults()];
  if (faults.length > 0) throw new Error(`api/app/permissions.ts and the resolvers differ:\n- ${faults.join("\n- ")}`);
  return schema;
}

/** Where the resolvers' `@Allow` and the table of permissions disagree; empty when they are one. */
export function permissionFaults(schema: GraphQLSchema): string[] {
  const allowed = allowedByDecorator();
  const faults: string[] = [];
  for (const type of productTypes(schema)) {
    const isRoot = type === schema.getQueryType() || type === schema.getMutationType();
    if (!isRoot && !permissions[`${type.name}.*`]) faults.push(`${type.name}.* has no row`);
    for (const field of Object.values(type.getFields())) {
      const coordinate = `${type.name}.${field.name}`;
      const row = permissions[coordinate]?.audience;
      const decorator = allowed.get(coordinate);
      if (!row && (isRoot || decorator)) faults.push(`${coordinate} has no row`);
      else if (!row && isObjectType(getNamedType(field.type)))
        faults.push(`${coordinate} leads to other rows and has none here`);
      else if (row && row !== (decorator ?? plainAudience(coordinate)))
        faults.push(`${coordinate}: the table says ${row}, the method ${decorator ?? "nothing"}`);
    }
  }
  const known = new Set(coordinatesOf(schema));
  for (const row of Object.keys(permissions))
    if (!row.includes(" ") && !known.has(row)) faults.push(`${row} has a row but is not in the schema`);
  return faults;
}

/** Every coordinate of the schema that may have a row: fields, and `Type.*` of each type. */
export function coordinatesOf(schema: GraphQLSchema): string[] {
  return productTypes(schema).flatMap((type) => [
    `${type.name}.*`,
    ...Object.keys(type.getFields()).map((field) => `${type.name}.${field}`),
  ]);
}

// A plain property that leads to another type is as visible as the type it stands in.
const plainAudience = (coordinate: string) => permissions[`${coordinate.split(".")[0]}.*`]?.audience;

function productTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  return Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith("__"),
  );
}

function allowedByDecorator(): Map<string, string> {
  const storage = getMetadataStorage();
  const allowed = new Map<string, string>();
  const note = (typeName: string, fields: readonly { schemaName: string; roles?: string[] | undefined }[]) => {
    for (const field of fields) if (field.roles?.[0]) allowed.set(`${typeName}.${field.schemaName}`, field.roles[0]);
  };
  note("Query", storage.queries);
  note("Mutation", storage.mutations);
  for (const type of storage.objectTypes) {
    note(
      type.name,
      (type.fields ?? []).map((field) => ({
        schemaName: field.schemaName,
        roles: field.roles as string[] | undefined,
      })),
    );
  }
  return allowed;
}
