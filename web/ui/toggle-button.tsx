import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./button.module.css";

/** A button of a group that filters a list. It is pressed while its filter applies. */
export function ToggleButton(props: { isPressed: boolean; onClick: () => void; children: ReactNode }) {
  const { isPressed, ...button } = props;
  return (
    <Button
      className={classes.toggle}
      size="xs"
      radius="xl"
      variant={isPressed ? "light" : "default"}
      aria-pressed={isPressed}
      {...button}
    />
  );
}
