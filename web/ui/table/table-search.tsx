import { IconSearch } from "@tabler/icons-react";
import { useId } from "react";
import classes from "./table-tools.module.css";

export function TableSearch({ value, onChange }: { value: string; onChange: (query: string) => void }) {
  const id = useId();
  return (
    <div className={classes.search}>
      <label htmlFor={id}>Search</label>
      <div className={classes.searchField}>
        <IconSearch size={17} stroke={1.8} aria-hidden="true" />
        <input
          id={id}
          className={classes.box}
          type="search"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
    </div>
  );
}
