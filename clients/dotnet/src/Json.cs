using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace LicencePortal
{
    /// <summary>A JSON object. Numbers are long or double, arrays are lists.</summary>
    internal sealed class JsonObject : Dictionary<string, object>
    {
        public JsonObject() : base(StringComparer.Ordinal) { }

        public string Text(string name) => TryGetValue(name, out var value) ? value as string : null;
        public JsonObject Object(string name) => TryGetValue(name, out var value) ? value as JsonObject : null;
        public bool IsTrue(string name) => TryGetValue(name, out var value) && true.Equals(value);
        public long? Integer(string name) => TryGetValue(name, out var value) ? value as long? : null;

        /// <summary>Returns the texts of an array, or null if it isn't an array of texts.</summary>
        public List<string> Texts(string name)
        {
            var list = TryGetValue(name, out var value) ? value as List<object> : null;
            return list != null && list.All(one => one is string) ? list.Cast<string>().ToList() : null;
        }

        public IEnumerable<JsonObject> Objects(string name) =>
            (TryGetValue(name, out var value) ? value as List<object> : null)?.OfType<JsonObject>()
            ?? Enumerable.Empty<JsonObject>();

        public DateTime? Time(string name)
        {
            const DateTimeStyles utc = DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal;
            return DateTime.TryParse(Text(name), CultureInfo.InvariantCulture, utc, out var time) ? time : (DateTime?)null;
        }
    }

    /// <summary>Reads and writes JSON (RFC 8259). .NET Framework and .NET Standard have no reader in common.</summary>
    internal static class Json
    {
        const int MaxDepth = 32;

        /// <exception cref="FormatException">The text isn't JSON.</exception>
        public static object Parse(string text)
        {
            var at = 0;
            var value = ReadValue(text, ref at, 0);
            SkipSpace(text, ref at);
            return at == text.Length ? value : throw Invalid(at);
        }

        /// <summary>Returns the object in a text, or null if it is anything else.</summary>
        public static JsonObject TryParseObject(string text)
        {
            try { return text == null ? null : Parse(text) as JsonObject; }
            catch (FormatException) { return null; }
        }

        public static string Write(object value)
        {
            var text = new StringBuilder();
            WriteValue(text, value);
            return text.ToString();
        }

        public new static bool Equals(object one, object other)
        {
            if (one is JsonObject left && other is JsonObject right)
                return left.Count == right.Count
                    && left.All(pair => right.TryGetValue(pair.Key, out var value) && Equals(pair.Value, value));
            if (one is List<object> first && other is List<object> second)
                return first.Count == second.Count && first.Zip(second, Equals).All(same => same);
            return object.Equals(one, other);
        }

        static FormatException Invalid(int at) => new FormatException("Invalid JSON at character " + at + ".");

        static object ReadValue(string text, ref int at, int depth)
        {
            SkipSpace(text, ref at);
            if (at >= text.Length || depth > MaxDepth) throw Invalid(at);
            switch (text[at])
            {
                case '{': return ReadObject(text, ref at, depth);
                case '[': return ReadArray(text, ref at, depth);
                case '"': return ReadText(text, ref at);
                case 't': return ReadWord(text, ref at, "true", true);
                case 'f': return ReadWord(text, ref at, "false", false);
                case 'n': return ReadWord(text, ref at, "null", null);
                default: return ReadNumber(text, ref at);
            }
        }

        static JsonObject ReadObject(string text, ref int at, int depth)
        {
            var result = new JsonObject();
            at++;
            if (TakeIf(text, ref at, '}')) return result;
            do
            {
                SkipSpace(text, ref at);
                if (at >= text.Length || text[at] != '"') throw Invalid(at);
                var name = ReadText(text, ref at);
                if (!TakeIf(text, ref at, ':')) throw Invalid(at);
                result[name] = ReadValue(text, ref at, depth + 1);
            } while (TakeIf(text, ref at, ','));
            return TakeIf(text, ref at, '}') ? result : throw Invalid(at);
        }

        static List<object> ReadArray(string text, ref int at, int depth)
        {
            var result = new List<object>();
            at++;
            if (TakeIf(text, ref at, ']')) return result;
            do result.Add(ReadValue(text, ref at, depth + 1)); while (TakeIf(text, ref at, ','));
            return TakeIf(text, ref at, ']') ? result : throw Invalid(at);
        }

        static string ReadText(string text, ref int at)
        {
            var result = new StringBuilder();
            for (at++; at < text.Length; at++)
            {
                var character = text[at];
                if (character == '"') { at++; return result.ToString(); }
                if (character < ' ') break;
                if (character != '\\') { result.Append(character); continue; }
                if (++at >= text.Length) break;
                var index = "\"\\/bfnrt".IndexOf(text[at]);
                if (index >= 0) { result.Append("\"\\/\b\f\n\r\t"[index]); continue; }
                if (text[at] != 'u' || at + 4 >= text.Length) break;
                if (!ushort.TryParse(text.Substring(at + 1, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var code)) break;
                result.Append((char)code);
                at += 4;
            }
            throw Invalid(at);
        }

        static object ReadWord(string text, ref int at, string word, object value)
        {
            if (string.CompareOrdinal(text, at, word, 0, word.Length) != 0) throw Invalid(at);
            at += word.Length;
            return value;
        }

        static object ReadNumber(string text, ref int at)
        {
            var start = at;
            while (at < text.Length && "+-0123456789.eE".IndexOf(text[at]) >= 0) at++;
            var number = text.Substring(start, at - start);
            if (long.TryParse(number, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var whole)) return whole;
            return double.TryParse(number, NumberStyles.Float, CultureInfo.InvariantCulture, out var real) ? real : throw Invalid(start);
        }

        static bool TakeIf(string text, ref int at, char expected)
        {
            SkipSpace(text, ref at);
            if (at >= text.Length || text[at] != expected) return false;
            at++;
            return true;
        }

        static void SkipSpace(string text, ref int at)
        {
            while (at < text.Length && " \t\r\n".IndexOf(text[at]) >= 0) at++;
        }

        static void WriteValue(StringBuilder text, object value)
        {
            if (value == null) text.Append("null");
            else if (value is string words) WriteText(text, words);
            else if (value is bool truth) text.Append(truth ? "true" : "false");
            else if (value is IDictionary<string, object> members)
                WriteList(text, '{', '}', members, member =>
                {
                    WriteText(text, member.Key);
                    text.Append(':');
                    WriteValue(text, member.Value);
                });
            else if (value is System.Collections.IEnumerable items) WriteList(text, '[', ']', items.Cast<object>(), item => WriteValue(text, item));
            else if (value is double real) text.Append(real.ToString("R", CultureInfo.InvariantCulture));
            else text.Append(Convert.ToString(value, CultureInfo.InvariantCulture));
        }

        static void WriteList<T>(StringBuilder text, char open, char close, IEnumerable<T> items, Action<T> write)
        {
            text.Append(open);
            var isFirst = true;
            foreach (var item in items)
            {
                if (!isFirst) text.Append(',');
                isFirst = false;
                write(item);
            }
            text.Append(close);
        }

        static void WriteText(StringBuilder text, string words)
        {
            text.Append('"');
            foreach (var character in words)
                if (character == '"' || character == '\\') text.Append('\\').Append(character);
                else if (character < ' ' || character > '~') text.Append("\\u").Append(((int)character).ToString("x4", CultureInfo.InvariantCulture));
                else text.Append(character);
            text.Append('"');
        }
    }
}
