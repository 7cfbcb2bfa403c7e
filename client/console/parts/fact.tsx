import type { ReactNode } from 'react';

/** One figure of a view in its list of facts (`<dl className="facts">`): its name and its value. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
