import type { ReactNode } from 'react';

type FactProps = {
  readonly name: string;
  readonly children: ReactNode;
  /** The value is usually long: it has the room of two. */
  readonly isWide?: boolean;
};

/** One figure of a view in its list of facts (`<dl className="facts">`): its name and its value. */
export function Fact({ name, children, isWide = false }: FactProps) {
  return (
    <div data-wide={isWide}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
