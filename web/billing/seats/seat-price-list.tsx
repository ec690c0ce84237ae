import { Button, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { object } from "yup";
import { productLevels, seatLevels } from "#schema/product-level.ts";
import { findEntry, type ListEntry } from "#schema/closed-list.ts";
import { formatAud, parseCents } from "#schema/money.ts";
import { typedAmount } from "#schema/manual-invoice-form.ts";
import { seatTerms } from "#schema/seats.ts";
import { UnitField } from "#web/billing/promo-codes/unit-field.tsx";
import {
  type SeatPriceFieldsFragment,
  type SeatPriceInput,
  useSeatPricesQuery,
  useSetSeatPriceMutation,
} from "#web/generated/graphql.ts";
import type { DialogControl } from "#web/ui/confirm-dialog.tsx";
import { useOpenDialog } from "#web/ui/dialogs.tsx";
import { useAppForm } from "#web/ui/form/app-form.tsx";
import { FormDialog } from "#web/ui/form/form-dialog.tsx";
import { Loaded } from "#web/ui/loaded.tsx";
import tableClasses from "#web/ui/table/data-table.module.css";

const levels = seatLevels.flatMap((value) => findEntry<ListEntry>(productLevels, value) ?? []);

/** A price of the list; `cents` is null if the list has none. */
interface Chosen extends Pick<SeatPriceInput, "productLevel" | "term"> {
  readonly name: string;
  readonly cents: number | null;
}

/** The price list of seats of corporate licences. */
export function SeatPriceList({ canEdit }: { canEdit: boolean }) {
  const query = useSeatPricesQuery();
  const openDialog = useOpenDialog();
  const reload = () => void query.refetch().catch(() => undefined);
  const edit = (chosen: Chosen) => openDialog(async () => ({ default: SeatPriceDialog }), { chosen, onSaved: reload });
  return (
    <Paper component="section" withBorder radius="lg" shadow="sm" p="lg" aria-labelledby="seat-prices">
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" id="seat-prices">
            Seats of corporate licences
          </Title>
          <Text c="dimmed">Price of a seat for the whole term. Adding seats suggests it, pro rata.</Text>
        </div>
        <Loaded query={query} loading="Loading the price list" failure="Unable to load the price list.">
          {({ seatPrices }) => <PriceTable prices={seatPrices} canEdit={canEdit} onEdit={edit} />}
        </Loaded>
      </Stack>
    </Paper>
  );
}

interface PriceTableProps {
  prices: readonly SeatPriceFieldsFragment[];
  canEdit: boolean;
  onEdit: (chosen: Chosen) => void;
}

function PriceTable({ prices, canEdit, onEdit }: PriceTableProps) {
  return (
    <Paper withBorder radius="lg" style={{ overflow: "hidden" }}>
      <Table aria-label="Prices of seats" tabularNums className={tableClasses.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Level</Table.Th>
            {seatTerms.map(({ label }) => (
              <Table.Th key={label} scope="col" data-align="right">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {levels.map(({ code, label: level }) => (
            <Table.Tr key={code}>
              <Table.Td fw={560} data-title="Level">
                {level}
              </Table.Td>
              {seatTerms.map(({ code: term, label }) => {
                const cents = prices.find((one) => one.productLevel === code && one.term === term)?.audCents ?? null;
                const name = `${level}, ${label}`;
                const shown = cents === null ? "–" : formatAud(cents);
                const chosen = { productLevel: code as Chosen["productLevel"], term, name, cents };
                return (
                  <Table.Td key={term} data-title={label} data-align="right" data-wrap="never">
                    {canEdit ? (
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        mx={-8}
                        aria-label={`Price for ${name}: ${cents === null ? "none" : shown}`}
                        onClick={() => onEdit(chosen)}
                      >
                        {cents === null ? "Set price" : shown}
                      </Button>
                    ) : (
                      shown
                    )}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

const formRules = object({ amount: typedAmount("Price is required.") });

function SeatPriceDialog({ chosen, onSaved, ...dialog }: DialogControl & { chosen: Chosen; onSaved: () => void }) {
  const { productLevel, term, cents } = chosen;
  const [setSeatPrice] = useSetSeatPriceMutation();
  const form = useAppForm(formRules, { defaultValues: { amount: cents === null ? "" : formatAud(cents) } });

  return (
    <FormDialog
      {...dialog}
      title={`Price of a seat: ${chosen.name}`}
      form={form}
      fallback="Unable to save the price."
      onSubmit={({ amount }) =>
        setSeatPrice({ variables: { input: { productLevel, term, audCents: parseCents(amount) ?? 0 } } })
      }
      success="The price has been saved."
      onDone={onSaved}
    >
      <Text>Seats that were added before keep their price.</Text>
      <UnitField control={form.control} name="amount" label="Price, without GST" unit="AUD" />
    </FormDialog>
  );
}
