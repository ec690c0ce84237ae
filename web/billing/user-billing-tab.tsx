import { UserInvoices } from "./invoices/user-invoices.tsx";

/** A customer's money for staff: invoices and credit. */
export function UserBillingTab({ userId }: { userId: string }) {
  return <UserInvoices userId={userId} />;
}
