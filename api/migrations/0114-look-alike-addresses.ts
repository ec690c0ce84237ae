import { Migration } from "@mikro-orm/migrations";

/** Finds accounts whose addresses look alike. */
export class Migration0114 extends Migration {
  override up(): void {
    this.addSql(
      `create index users_by_look on users (replace(replace(translate(sign_in_email, 'аеорсухіјѕһԁɡԛѡвнкмтгпзαορνικτυχωօսոհցքզàáâãäåāçćčèéêëēęìíîïīıłñńòóôõöøōśšùúûüūýÿźżž01', 'aeopcyxijshdgqwbhkmtrn3aopvlktuxwounhgpqaaaaaaaccceeeeeeiiiiiilnnooooooossuuuuuyyzzzol'), 'rn', 'm'), 'vv', 'w'))`,
    );
  }
}
