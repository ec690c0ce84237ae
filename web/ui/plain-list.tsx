import { Stack, type StackProps } from "@mantine/core";
import type { ReactNode } from "react";

/** A list of blocks, without bullets. */
export function PlainList({ children, ...space }: Pick<StackProps, "gap" | "mt"> & { children: ReactNode }) {
  return (
    <Stack component="ul" m={0} p={0} style={{ listStyle: "none" }} {...space}>
      {children}
    </Stack>
  );
}
