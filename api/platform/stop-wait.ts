/** How long files may go on being read once the process is to stop; a reader that stalls must not keep it running. */
export const STOP_WAIT_MS = 3_000;
