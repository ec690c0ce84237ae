import layout from "./layout.module.css";

interface FramedTableProps {
  columns: readonly string[];
  /** The first cell of a row names it. */
  rows: readonly (readonly [name: string, ...cells: string[]])[];
  className?: string;
}

/** A table of texts on a public page. */
export function FramedTable({ columns, rows, className }: FramedTableProps) {
  return (
    <div className={layout.framed}>
      <table className={className ? `${layout.table} ${className}` : layout.table}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
