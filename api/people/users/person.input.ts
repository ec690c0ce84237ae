import { Field, InputType } from "type-graphql";

/** What the forms of registration and profile share; no type of its own in the schema. */
@InputType()
export abstract class PersonInput {
  @Field(() => String)
  firstName!: string;
  @Field(() => String)
  lastName!: string;
  @Field(() => String, { nullable: true })
  companyName?: string;
  @Field(() => String)
  position!: string;
  @Field(() => String)
  mobile!: string;
  @Field(() => String, { nullable: true })
  fullAddress?: string;
  @Field(() => String, { nullable: true })
  unitNumber?: string;
  @Field(() => String)
  streetNumber!: string;
  @Field(() => String)
  streetName!: string;
  @Field(() => String)
  city!: string;
  @Field(() => String, { description: "Code in Australia (QLD) and the United States, else free text." })
  state!: string;
  @Field(() => String)
  postCode!: string;
  @Field(() => String, { description: "English name." })
  country!: string;
}
