using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("ConformanceDriver")]
