import { IconBookmark, IconDownload } from "@tabler/icons-react";
import { type FocusEvent, useEffect, useRef, useState } from "react";
import { type FieldPath, useWatch } from "react-hook-form";
import { useSearchParams } from "react-router-dom";
import { labelOf, reportTypes } from "#schema/catalogue.ts";
import { sellerTime } from "#schema/days.ts";
import type { ReportValues } from "#schema/rules/report.ts";
import { daysOfPeriod, type ReportPeriod, reportPeriods } from "#schema/saved-reports.ts";
import { Button } from "#web/ui/button.tsx";
import { AppForm, useAppForm } from "#web/ui/form/app-form.tsx";
import { DateField } from "#web/ui/form/date-field.tsx";
import { SelectField } from "#web/ui/form/fields.tsx";
import { FieldColumns, SubmitButton } from "#web/ui/form/form-parts.tsx";
import {
  type AskedReport,
  firstChoice,
  formatOptions,
  quickRanges,
  rangeOf,
  rememberChoice,
  type ReportChoice,
  typeOptions,
} from "./report-choice.ts";
import type { askedOf } from "./asked-report.ts";
import { ReportProgress } from "#web/ui/report-download/report-progress.tsx";
import classes from "./reports.module.css";
import { useReportDownload } from "#web/ui/report-download/use-report-download.ts";

const loadRules = () => import("#schema/rules/report.ts").then((file) => file.reportRules);

export interface ReportFormProps {
  /** Told whenever another report is asked for; null while the form has faults. */
  onAsked: (asked: AskedReport | null) => void;
  /** Saving is offered beside downloading. */
  onSave: (choice: ReportChoice) => void;
}

/** Of two dates that are typed one after the other, the range between them is not asked for. */
const SETTLED_MS = 250;

/** Which report, from when until when, as which file. It can be downloaded once nothing is amiss. */
export function ReportForm({ onAsked, onSave }: ReportFormProps) {
  const start = useRef<ReportChoice>(null);
  const [address] = useSearchParams();
  start.current ??= firstChoice(address);
  const form = useAppForm(loadRules, { defaultValues: start.current as never });
  const { control, setValue, trigger, getValues } = form;
  // The form holds days as they are typed; the rule makes moments of them.
  const choice = useWatch({ control }) as unknown as ReportChoice;
  const asked = useJudge()?.(choice) ?? null;
  const download = useReportDownload();
  const range = rangeOf(choice);

  const key = asked && JSON.stringify(asked);
  useEffect(() => {
    if (key === null) return onAsked(null);
    const timer = setTimeout(() => onAsked(JSON.parse(key) as AskedReport), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [key, onAsked]);
  useEffect(() => {
    const { reportType, startDate, endDate, format } = choice;
    if (key !== null) rememberChoice({ reportType, startDate, endDate, format });
  }, [key, choice]);

  // There is no button to press while something is amiss, so a field says what it is as soon as it is emptied or left,
  // and no more once it is mended.
  const judge = (name: string) => void trigger(name as FieldPath<ReportValues>);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ name, values }) => {
          if (!name) return;
          const { invalid } = form.getFieldState(name as FieldPath<ReportValues>);
          if (invalid || (values as Record<string, unknown>)[name] === "") judge(name);
        },
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `judge` is as lasting as the form
    [form],
  );
  function leave({ target }: FocusEvent<HTMLElement>) {
    const { name } = target as HTMLInputElement;
    if (name) judge(name);
  }

  function choose(period: ReportPeriod) {
    const { startDate, endDate } = daysOfPeriod(period, new Date());
    setValue("startDate", startDate as never, { shouldDirty: true });
    setValue("endDate", endDate as never, { shouldDirty: true });
    void trigger(["startDate", "endDate"]);
  }

  function send() {
    const { reportType, startDate, endDate, format } = getValues() as unknown as ReportChoice;
    const request = { reportType: Number(reportType), startDate, endDate, format };
    download.start(
      `Writing the report ${labelOf(reportTypes, request.reportType)}`,
      "/v1/reports/download-report",
      request,
    );
  }

  return (
    <div className={classes.form} onBlur={leave}>
      <AppForm form={form} label="Report" fallback="Unable to download the report." onSubmit={send}>
        <SelectField
          control={control}
          name="reportType"
          label="Report Type"
          options={typeOptions}
          placeholder="Choose a report"
        />
        <FieldColumns>
          <DateField control={control} name="startDate" label="Start Date" hint={`First day, ${sellerTime}`} />
          <DateField control={control} name="endDate" label="End Date" hint={`Last day, ${sellerTime}`} />
        </FieldColumns>
        <div className={classes.ranges} role="group" aria-label="Quick Ranges">
          {quickRanges.map((period) => (
            <button
              key={period}
              type="button"
              className={classes.range}
              aria-pressed={range === period}
              onClick={() => choose(period)}
            >
              {reportPeriods[period]}
            </button>
          ))}
        </div>
        <SelectField control={control} name="format" label="Format" options={formatOptions} />
        {asked ? (
          <div className={classes.actions}>
            <SubmitButton>
              <IconDownload size={18} stroke={1.8} aria-hidden="true" /> Download
            </SubmitButton>
            <Button
              variant="default"
              leftSection={<IconBookmark size={18} stroke={1.8} aria-hidden="true" />}
              onClick={() => onSave(getValues() as unknown as ReportChoice)}
            >
              Save This Report
            </Button>
          </div>
        ) : (
          <p className={classes.wanted}>Choose a report type and its dates to download it.</p>
        )}
      </AppForm>
      <ReportProgress download={download} />
    </div>
  );
}

/** The judge of a choice, once the rules have come: they need not be there before the page is. */
function useJudge(): typeof askedOf | null {
  const [judge, setJudge] = useState<typeof askedOf | null>(null);
  useEffect(() => {
    let isHere = true;
    import("./asked-report.ts").then(
      (file) => isHere && setJudge(() => file.askedOf),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, []);
  return judge;
}
