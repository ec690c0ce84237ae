import { type ComponentType, type ReactNode, Suspense, useState } from "react";
import { lazyPart } from "./lazy-part.tsx";

/**
 * Creates a dialog that loads its code when it first opens, because forms are large. It stays mounted for the closing
 * transition.
 * @param isOpen returns whether the props open the dialog
 */
export function lazyDialog<TProps extends object>(
  load: () => Promise<ComponentType<TProps>>,
  isOpen: (props: TProps) => boolean,
): (props: TProps) => ReactNode {
  const Dialog = lazyPart<object>(async () => ({ default: (await load()) as ComponentType<object> }), "notification");
  return function LazyDialog(props) {
    const [wanted, setWanted] = useState(false);
    if (!wanted && isOpen(props)) setWanted(true);
    return (
      wanted && (
        <Suspense fallback={null}>
          <Dialog {...props} />
        </Suspense>
      )
    );
  };
}
