using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

namespace LicencePortal
{
    /// <summary>Values of the SMBIOS tables (DMTF DSP0134), which Windows returns without administrator rights or WMI.</summary>
    internal sealed class Firmware
    {
        const uint Smbios = 0x52534D42; // 'RSMB'
        public string Manufacturer, Product, SystemId, BoardSerial, ProcessorId;

        public static Firmware Read()
        {
            try { return Parse(ReadTables()); }
            catch (Exception) { return new Firmware(); }
        }

        static byte[] ReadTables()
        {
            if (!DataProtection.IsWindows)
                return File.Exists("/sys/firmware/dmi/tables/DMI") ? File.ReadAllBytes("/sys/firmware/dmi/tables/DMI") : new byte[0];
            var size = GetSystemFirmwareTable(Smbios, 0, null, 0);
            var bytes = new byte[size];
            const int header = 8; // Version and length.
            if (size <= header || GetSystemFirmwareTable(Smbios, 0, bytes, size) != size) return new byte[0];
            var tables = new byte[size - header];
            Array.Copy(bytes, header, tables, 0, tables.Length);
            return tables;
        }

        /// <summary>Reads system (type 1), board (type 2) and processor (type 4). The first of each type counts.</summary>
        internal static Firmware Parse(byte[] tables)
        {
            var result = new Firmware();
            for (var at = 0; at + 4 <= tables.Length && tables[at + 1] >= 4;)
            {
                int type = tables[at], length = tables[at + 1], start = at;
                if (start + length > tables.Length) break;
                var texts = ReadTexts(tables, start + length, out at);
                Func<int, string> text = offset => offset < length && tables[start + offset] > 0 && tables[start + offset] <= texts.Count ? texts[tables[start + offset] - 1] : null;
                if (type == 1)
                {
                    result.Manufacturer = result.Manufacturer ?? text(4);
                    result.Product = result.Product ?? text(5);
                    if (length >= 24) result.SystemId = result.SystemId ?? ReadId(tables, start + 8);
                }
                else if (type == 2) result.BoardSerial = result.BoardSerial ?? text(7);
                else if (type == 4 && length >= 17)
                    result.ProcessorId = result.ProcessorId ?? BitConverter.ToString(tables, start + 8, 8) + " " + text(16);
                else if (type == 127) break;
            }
            return result;
        }

        static string ReadId(byte[] tables, int at)
        {
            var bytes = new byte[16];
            Array.Copy(tables, at, bytes, 0, 16);
            return new Guid(bytes).ToString();
        }

        /// <summary>Reads the texts after a structure: each ends with a zero, and the list with another.</summary>
        static List<string> ReadTexts(byte[] tables, int at, out int next)
        {
            var texts = new List<string>();
            while (at < tables.Length && tables[at] != 0)
            {
                var end = Array.IndexOf(tables, (byte)0, at);
                if (end < 0) end = tables.Length;
                texts.Add(Encoding.ASCII.GetString(tables, at, end - at));
                at = end + 1;
            }
            next = at + (texts.Count == 0 ? 2 : 1);
            return texts;
        }

        [DllImport("kernel32.dll", SetLastError = true)]
        static extern uint GetSystemFirmwareTable(uint provider, uint table, byte[] buffer, uint size);
    }
}
